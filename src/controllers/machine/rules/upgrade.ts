import { CONSENT } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { World } from '#controllers/machine/world.ts'
import { installerOf, versionProblem } from '#engine/installer.ts'
import { UPGRADE_PENDING } from '#engine/pending.ts'
import {
  extensionsProblem,
  failedBefore,
  installToken,
  schematicWords,
} from '#engine/upgrade-problems.ts'
import { no } from '#runtime/plan.ts'
import { lettingGo } from './disruption.ts'
import { asRunning } from './member.ts'
import {
  type Aim,
  aimOf,
  bootedAim,
  isAskedFor,
  isHeldBack,
  otherSchematic,
  whatFor,
  wishOf,
  wordsFor,
} from './upgrade-aim.ts'

// A machine gets another Talos, of another version or of another schematic, in its turn: the image is fetched, the new one
// installed beside the old one, the node drained, the machine booted, and what it then is read back. Before v1.13 Talos does all
// but the first itself.

/** What must not be tried is said, whoever has a turn. */
export const versionRefused: Rule = (machine, world) => {
  const { seen } = world
  const problem = seen.is === 'member' ? versionProblem(machine, seen.version) : undefined
  if (!problem || whatFor(machine, world) !== 'upgrade') return undefined
  return refused(machine, world, problem)
}

/** A machine that went back to what it had is left so. To install over the system that still runs may cost that, too. */
export const upgradeFailed: Rule = (machine, world) => {
  const aim = aimOf(machine, world)
  const problem = aim && failedBefore(machine, { ...aim, what: wordsFor(aim, machine) })
  return problem && refused(machine, world, problem)
}

/** It stays as it is, and lets others go on as far as they may. */
const refused = (
  machine: Machine,
  world: World,
  { reason, message }: { reason: string; message: string },
): Decision => ({
  steps: lettingGo(machine, world),
  state: 'Available',
  ready: no(reason, message),
  pace: 'settled',
})

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
  const problem = aim && extensionsProblem(machine, aim.image, aim.boot)
  return problem && refused(machine, world, problem)
}

/** A machine that somebody else installed is not installed anew because of what runs on it. */
export const schematicWaitsForConsent: Rule = (machine, world) => {
  const { seen } = world
  const { boot } = seen.is === 'member' ? seen : {}
  const otherwise = asRunning(machine, world)
  if (seen.is !== 'member' || !boot || !otherwise || otherwise.ready) return undefined
  const wanted = otherSchematic(machine, seen)
  if (wanted === undefined || isAskedFor(machine, world)) return undefined
  const image = installerOf(machine)
  return {
    ...otherwise,
    ready: no(
      'WaitsForConsent',
      `the machine was not installed by this operator, and runs ${schematicWords(boot.schematic)}, while the spec asks for ${schematicWords(wanted)}. It is left as it is. Correct machineSpec.image, or have ${image} installed, for which the machine reboots in its turn, by annotating this object with ${CONSENT}=${installToken(image, boot.extensions)}`,
    ),
  }
}

/** What waits for another Kubernetes is said when nothing else is to be done. */
export const upgradeHeldBack: Rule = (machine, world) => {
  const wish = wishOf(machine, world)
  if (!wish || !isHeldBack(wish, world)) return undefined
  const until = 'which waits until those of its cluster that get another Kubernetes have it'
  return waiting(wish, machine, { world, until })
}
