import { CONSENT, UPGRADE_FAILED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { World } from '#controllers/machine/world.ts'
import { keepsExtensions, versionProblem } from '#engine/installer.ts'
import { UPGRADE_PENDING } from '#engine/pending.ts'
import { UPGRADE_FAILED_REASON, UPGRADE_NOT_TAKEN_BACK } from '#engine/standstill.ts'
import { failureOf } from '#engine/upgrade-record.ts'
import { no } from '#runtime/plan.ts'
import { lettingGo } from './disruption.ts'
import { asRunning } from './member.ts'
import { type Aim, aimOf, bootedAim, isHeldBack, wishOf, wordsFor } from './upgrade-aim.ts'

// A machine gets another version of Talos in its turn: the image is fetched, the new version installed beside the old one, the
// node drained, the machine booted, and what it then is read back. Before v1.13 Talos does all but the first itself.

/** What must not be tried is said, whoever has a turn. */
export const versionRefused: Rule = (machine, world) => {
  const { seen } = world
  const problem = seen.is === 'member' ? versionProblem(machine, seen.version) : undefined
  if (seen.is !== 'member' || seen.version === machine.spec?.version || !problem) return undefined
  return {
    steps: lettingGo(machine, world),
    state: 'Available',
    ready: no(problem.reason, problem.message),
    pace: 'settled',
  }
}

/** A machine that went back to what it had is left so. To install over the system that still runs may cost that, too. */
export const upgradeFailed: Rule = (machine, world) => {
  const aim = aimOf(machine, world)
  const why = aim && failureOf(machine, aim.image)
  if (!aim || why === undefined) return undefined
  const again = `to have the same tried again, remove the annotation ${UPGRADE_FAILED} from this object`
  const said = `the machine was to be ${wordsFor(aim, machine)}: ${why}. No other machine is upgraded. See \`talosctl -n ${machine.spec?.endpoint} dmesg\``
  return {
    steps: lettingGo(machine, world),
    state: 'Available',
    ready:
      aim.is === 'upgrade'
        ? no(UPGRADE_FAILED_REASON, `${said}, then change the version or the image; ${again}`)
        : no(UPGRADE_NOT_TAKEN_BACK, `${said}, and set the version that it is to boot; ${again}`),
    pace: 'settled',
  }
}

/** One machine after the other is upgraded, and its control plane or pool says which. */
export const upgradeWaits: Rule = (machine, world) => {
  const aim = aimOf(machine, world)
  return aim && world.turn === undefined
    ? waiting(aim, machine, { world, until: 'and waits for its turn' })
    : undefined
}

function waiting(
  aim: Aim,
  machine: Machine,
  { world, until }: { world: World; until: string },
): Decision {
  const { state, ready } = asRunning(machine, world) ?? {}
  return {
    ...(state && { state }),
    ready: ready ?? no(UPGRADE_PENDING, `the machine is to be ${wordsFor(aim, machine)}, ${until}`),
    pending: { work: 'upgrade', needs: aim.is === 'upgrade' ? 'reboot' : 'live' },
    pace: 'later',
  }
}

/** What works on a machine is not taken away by surprise. */
export const extensionsLost: Rule = (machine, world) => {
  const aim = bootedAim(machine, world)
  if (!aim) return undefined
  const { image, boot } = aim
  const { extensions, schematic, installer } = boot
  const isKept = keepsExtensions(image, { extensions, schematic, image: installer })
  const token = fingerprint([image, extensions]).slice(0, 8)
  if (isKept || machine.metadata.annotations?.[CONSENT] === token) return undefined
  return {
    steps: lettingGo(machine, world),
    state: 'Available',
    ready: no(
      'ExtensionsWouldBeLost',
      `the machine runs with the extensions ${extensions.join(', ')}, and ${image} is not known to have them. Set machineSpec.image to an installer of the same schematic${schematic ? ` (${schematic})` : ''}; or, if they are not needed or the image has them, annotate this object with ${CONSENT}=${token}`,
    ),
    pace: 'settled',
  }
}

/** What waits for another Kubernetes is said when nothing else is to be done. */
export const upgradeHeldBack: Rule = (machine, world) => {
  const wish = wishOf(machine, world)
  if (!wish || !isHeldBack(wish, world)) return undefined
  const until = 'which waits until those of its cluster that get another Kubernetes have it'
  return waiting(wish, machine, { world, until })
}
