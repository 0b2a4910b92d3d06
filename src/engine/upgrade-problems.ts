import { CONSENT, UPGRADE_FAILED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { fingerprint } from '#base/fingerprint.ts'
import { keepsExtensions, schematicIn } from './installer.ts'
import { UPGRADE_FAILED_REASON, UPGRADE_NOT_TAKEN_BACK } from './standstill.ts'
import { failureOf } from './upgrade-record.ts'

// Why a machine is not given another Talos, in words: those who do it say the same as those who only foresee it.

interface Problem {
  reason: string
  message: string
}

/** What an upgrade is, for sentences: `the machine is to be …`. */
export const upgradeWords = (
  runs: { version: string; schematic: string | undefined },
  wanted: { version: string | undefined; image: string },
): string =>
  runs.version === wanted.version
    ? `upgraded from ${schematicWords(runs.schematic)} to ${schematicWords(schematicIn(wanted.image))}, with the same Talos ${runs.version}`
    : `upgraded from Talos ${runs.version} to ${wanted.version}`

export const schematicWords = (schematic: string | undefined): string =>
  schematic === undefined ? 'an image of no schematic' : `the schematic ${schematic}`

interface Told {
  image: string
  is: 'upgrade' | 'take back'
  /** What it is about, as a clause. */
  what: string
}

/** That a machine was told the same before, and did not do it; undefined if that is not known. */
export function failedBefore(machine: Machine, { image, is, what }: Told): Problem | undefined {
  const why = failureOf(machine, image)
  if (why === undefined) return undefined
  const again = `to have the same tried again, remove the annotation ${UPGRADE_FAILED} from this object`
  const said = `the machine was to be ${what}: ${why}. No other machine is upgraded. See \`talosctl -n ${machine.spec?.endpoint} dmesg\``
  return is === 'upgrade'
    ? {
        reason: UPGRADE_FAILED_REASON,
        message: `${said}, then change the version or the image; ${again}`,
      }
    : {
        reason: UPGRADE_NOT_TAKEN_BACK,
        message: `${said}, and set the version that it is to boot; ${again}`,
      }
}

/** What of that which a machine runs an image has to have. */
interface Runs {
  extensions: readonly string[]
  schematic: string | undefined
  /** The image that it would be installed from, by its configuration. */
  installer: string | undefined
}

/** That a machine would lose extensions by an image; undefined if it would not, or somebody bears with it. */
export function extensionsProblem(
  machine: Machine,
  image: string,
  { extensions, schematic, installer }: Runs,
): Problem | undefined {
  const isKept = keepsExtensions(image, { extensions, schematic, image: installer })
  const token = installToken(image, extensions)
  if (isKept || machine.metadata.annotations?.[CONSENT] === token) return undefined
  return {
    reason: 'ExtensionsWouldBeLost',
    message: `the machine runs with the extensions ${extensions.join(', ')}, and ${image} is not known to have them. Set machineSpec.image to an installer of the same schematic${schematic ? ` (${schematic})` : ''}; or, if they are not needed or the image has them, annotate this object with ${CONSENT}=${token}`,
  }
}

/** By which somebody says that an image may be installed on a machine with these extensions, whatever it was asked for. */
export const installToken = (image: string, extensions: readonly string[]): string =>
  fingerprint([image, extensions]).slice(0, 8)
