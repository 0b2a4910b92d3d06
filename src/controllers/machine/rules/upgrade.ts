import { CONSENT, UPGRADE_FAILED } from '#api/labels.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Rule } from '#controllers/machine/decision.ts'
import { keepsExtensions, versionProblem } from '#engine/installer.ts'
import { UPGRADE_PENDING } from '#engine/pending.ts'
import { failureOf } from '#engine/upgrade-record.ts'
import { no } from '#runtime/plan.ts'
import { lettingGo } from './disruption.ts'
import { asRunning } from './member.ts'
import { aimOf, bootedAim, isHeldBack } from './upgrade-aim.ts'

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
  const { seen } = aim
  return {
    steps: lettingGo(machine, world),
    state: 'Available',
    ready: no(
      'UpgradeFailed',
      `the machine was to be upgraded from Talos ${seen.version} to ${machine.spec?.version}: ${why}. No other machine is upgraded. See \`talosctl -n ${machine.spec?.endpoint} dmesg\`, then change the version or the image; to have the same tried again, remove the annotation ${UPGRADE_FAILED} from this object`,
    ),
    pace: 'settled',
  }
}

/** One machine after the other is upgraded, and its control plane or pool says which. */
export const upgradeWaits: Rule = (machine, world) => {
  const aim = aimOf(machine, world)
  if (!aim || world.turn !== undefined) return undefined
  const { seen } = aim
  const { state, ready } = asRunning(machine, world) ?? {}
  const waits = no(
    UPGRADE_PENDING,
    `the machine is to be upgraded from Talos ${seen.version} to ${machine.spec?.version}, and waits for its turn`,
  )
  return {
    ...(state && { state }),
    ready: ready ?? waits,
    pending: { work: 'upgrade', needs: 'reboot' },
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

/** What waits for that is said when nothing else is to be done. */
export const upgradeHeldBack: Rule = (machine, world) => {
  const { seen } = world
  if (seen.is !== 'member' || seen.version === machine.spec?.version) return undefined
  if (!isHeldBack(machine, world)) return undefined
  const { state, ready } = asRunning(machine, world) ?? {}
  return {
    ...(state && { state }),
    ready:
      ready ??
      no(
        UPGRADE_PENDING,
        `the machine is to be upgraded from Talos ${seen.version} to ${machine.spec?.version}, which waits until those of its cluster that get another Kubernetes have it`,
      ),
    pending: { work: 'upgrade', needs: 'reboot' },
    pace: 'later',
  }
}
