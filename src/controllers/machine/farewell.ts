import { FORCE_DELETION, MACHINE_UUID, RESET_ACCEPTED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { whyLeftRunning } from '#engine/adoption.ts'
import { secretsNameOf } from '#engine/cluster-secrets.ts'
import type { Notice } from '#runtime/plan.ts'
import { keeperAmong } from './rivals.ts'
import type { Parent, World } from './world.ts'

/** What a user should know of a machine that stays as it is, or may do so, when its object goes. Nothing of one that was wiped. */
export function farewellTo(
  machine: Machine,
  { parent, keptBy, rivals, seen }: Pick<World, 'parent' | 'keptBy' | 'rivals' | 'seen'>,
): Notice[] {
  const { annotations = {} } = machine.metadata
  const uuid = annotations[MACHINE_UUID]
  if (uuid === undefined) return []
  const which = `machine ${uuid} at ${machine.spec?.endpoint}`
  if (annotations[FORCE_DELETION] === 'true') {
    return [notReset(`the ${which} was let go by force`, parent)]
  }
  const why =
    whyLeftRunning(machine) ?? (keptBy && `because deletionPolicy of ${keptBy} is preserve`)
  if (why !== undefined) {
    if (annotations[RESET_ACCEPTED] !== undefined) return [tooLate(which)]
    const message = `the ${which} is not reset and goes on running, ${why}`
    return [{ type: 'Normal', reason: 'Preserved', message }]
  }
  const keeper = keeperAmong(rivals)
  if (keeper) {
    const message = `the ${which} is not reset, because TalosMachine ${keeper.name} stands for it too and stays`
    return [{ type: 'Normal', reason: 'LeftToAnother', message }]
  }
  if (parent.is === 'there') return isInDoubt(machine, seen) ? [notSeen(which, parent)] : []
  return [notReset(`the ${which} is left alone, because ${parent.what} is not there`, parent)]
}

const tooLate = (which: string): Notice => ({
  type: 'Warning',
  reason: 'PreservedTooLate',
  message: `the ${which} was told to reset itself before it was to be preserved: what was on it is lost, unless it did not do so`,
})

/** Whether it accepted to be reset, and nobody knows what became of that. */
const isInDoubt = ({ metadata: { annotations = {} } }: Machine, seen: World['seen']): boolean =>
  annotations[RESET_ACCEPTED] !== undefined &&
  !(seen.is === 'waiting' && seen.uuid === annotations[MACHINE_UUID])

/** Nobody has seen it without a system. Most never come back, and what was wiped cannot say so. */
function notSeen(which: string, parent: Extract<Parent, { is: 'there' }>): Notice {
  const { name, deletionTimestamp } = parent.controlPlane.metadata
  const whoSays = deletionTimestamp ? '' : `, and TalosControlPlane ${name} warns of an UnknownNode`
  return {
    type: 'Warning',
    reason: 'ResetNotSeen',
    message: `the ${which} accepted to reset itself and was not seen since, as one that is wiped and has nothing else to boot from: it is let go. If it lost power before it was wiped, it is back with its configuration and the keys of its cluster when it is switched on${whoSays}. ${wayToWipe(parent)}`,
  }
}

const notReset = (why: string, parent: Parent): Notice => ({
  type: 'Warning',
  reason: 'NotReset',
  message: `${why}: it keeps its disks, its configuration and the keys of its cluster, and runs on if it is not off. ${wayToWipe(parent)}`,
})

/** The credentials that users were given go with the control plane. */
function wayToWipe(parent: Parent): string {
  const secrets =
    parent.is === 'there'
      ? `Secret ${secretsNameOf(parent.controlPlane)}`
      : 'the Secret with the secrets of its cluster'
  return `To wipe it, make a talosconfig from ${secrets} (\`talosctl gen config --with-secrets\` with its secrets.yaml), and use it with \`talosctl reset\``
}
