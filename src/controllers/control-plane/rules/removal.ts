import type { ControlPlane } from '#api/control-plane.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/control-plane/decision.ts'
import {
  hasEverBegun,
  hasLeft,
  isClaimed,
  mayGo,
  standing,
} from '#controllers/control-plane/machine-facts.ts'
import type { Step, World } from '#controllers/control-plane/world.ts'
import { whyLeftRunning } from '#engine/adoption.ts'
import { type EtcdSeen, etcdSeen } from '#engine/etcd-members.ts'
import { letsOthersLeave } from '#engine/pending.ts'
import { isTrue, leavingSteps, toBeRemoved, whatIsMissing } from '#engine/pool-machines.ts'
import {
  isDrainBlocked,
  isLeaving,
  isSick,
  OLD_SPEC,
  removalProblem,
  sickFirst,
  waitsForAnswers,
} from '#engine/removal.ts'
import { no } from '#runtime/plan.ts'
import { isRestrained } from '#runtime/reconcile-mode.ts'
import { departureOf, nextOf } from './departure.ts'
import { isTurnHeld } from './rollout.ts'

/**
 * A machine that was told to go leaves etcd before it is reset, one after the other, and only while those that remain are a
 * majority. Whoever deleted it hears here why it stays.
 */
export const leaveEtcd: Rule = (controlPlane, world) => {
  const { machines, pool } = world
  const etcd = etcdSeen(machines)
  const leaving = sickFirst(machines.filter(isInEtcd))
  const [first] = leaving
  if (!first || isAboutToBegin(controlPlane, etcd)) return undefined
  const state = standing(machines)
  if (isTurnHeld(world)) return { state, ready: waitingForTurn(first, world) }
  const onItsWay = machines.find(isBeingReset)
  if (onItsWay) return { state, ready: waitingFor(first, onItsWay) }
  const isFree = (one: Machine) => !removalProblem(controlPlane, one, etcd)
  const next = nextOf(leaving.filter(isFree))
  if (next && !isDrainBlocked(next)) return { state, ...departureOf(next) }
  // Whoever is in the way of it may be one that is in the spec no more; and nobody waits for one that is blocked.
  if (toBeRemoved(pool).some((one) => (next || isSick(one)) && isFree(one))) return undefined
  if (next) return { state, ...departureOf(next), again: 'later' }
  const problem = removalProblem(controlPlane, first, etcd)
  return problem && { steps: keepBack(leaving), state, ready: problem, again: 'later' }
}

/** Those that were let go when etcd did not need them yet, and take pods again. */
const keepBack = (machines: readonly Machine[]): Step[] =>
  machines
    .filter(mayGo)
    .map(({ metadata: { name, uid = '' } }) => ({ do: 'keepBack' as const, machine: name, uid }))

/** Whom the cluster begins on is settled, and whether it did is not seen yet: then nobody goes. */
const isAboutToBegin = (controlPlane: ControlPlane, { voters }: EtcdSeen): boolean =>
  hasEverBegun(controlPlane) && voters.length === 0

/** One thing is done at a time: another machine may be about to reboot. What keeps that one may be for users to mend. */
function waitingForTurn({ metadata }: Machine, { turns: { turns }, machines }: World) {
  const held = turns?.held ?? []
  const holders = machines.filter((one) => held.some(({ uid }) => uid === one.metadata.uid))
  const name = holders[0]?.metadata.name ?? 'the machine whose turn it is'
  const waits = `${metadata.name} waits until ${name} was changed, whose turn it is`
  const said = holders.length > 0 ? `. ${whatIsMissing(holders)}` : ''
  return no('RemovingMachine', `${waits}${said}`)
}

const isOnlyHolder = ({ metadata }: Machine, { turns: { turns } }: World): boolean =>
  turns?.held.length === 1 && turns.held[0]?.uid === metadata.uid

const waitingFor = ({ metadata }: Machine, { metadata: other }: Machine) =>
  no('RemovingMachine', `${metadata.name} waits until ${other.name} is reset: one goes at a time`)

/** Those that may be members, and are wiped when they go. Whoever goes without is somebody else's from then on. */
const isInEtcd = (machine: Machine): boolean =>
  isLeaving(machine) &&
  isClaimed(machine) &&
  !hasLeft(machine) &&
  !isRestrained(machine) &&
  machine.metadata.annotations?.[FORCE_DELETION] !== 'true' &&
  whyLeftRunning(machine) === undefined

/** One that does not answer is waited for by nobody. */
const isBeingReset = (machine: Machine): boolean =>
  isLeaving(machine) && hasLeft(machine) && isTrue(machine, 'Reachable') && !isDrainBlocked(machine)

/**
 * A machine that is in the spec no more goes: at once if it does not work, since it may keep others from joining, and
 * if it is known to be none of those that are wanted; otherwise when all that are wanted are well, so that whoever
 * replaces it is there before it goes. Those may wait to be changed: it may be what they wait for.
 */
export const removeSurplus: Rule = (controlPlane, world) => {
  const { machines, pool, isOld } = world
  const etcd = etcdSeen(machines)
  const surplus = sickFirst(toBeRemoved(pool))
  // Whoever has the turn cannot be waited for by itself: with it goes what was to be changed on it.
  const [holder] = surplus.filter((one) => isOnlyHolder(one, world))
  const next =
    holder ?? surplus.find((one) => !removalProblem(controlPlane, one, etcd)) ?? surplus[0]
  if (!next || isAboutToBegin(controlPlane, etcd)) return undefined
  const state = standing(machines)
  if (!holder && isTurnHeld(world)) return { state, ready: waitingForTurn(next, world) }
  const busy = machines.find((one) => isBeingReset(one) || isGoing(controlPlane, one, etcd))
  if (busy) return { state, ready: waitingFor(next, busy) }
  if (!isSick(next) && !areOthersWell(world)) return undefined
  if (isOld) return { state, ...OLD_SPEC, again: 'soon' }
  const waits = isSick(next) ? waitsForAnswers([next], pool) : undefined
  if (waits) return { state, ready: waits }
  const problem = removalProblem(controlPlane, next, etcd)
  if (problem) return { state, ready: problem, again: 'later' }
  return {
    steps: leavingSteps([next], false),
    state,
    ready: no('RemovingMachine', `${next.metadata.name} is in the spec no more, and goes`),
  }
}

/** What a drain left on a node goes, though nobody is there any more for whom it was done. */
export const uncordonStrays: Rule = ({ status }, { strays, machines }) => {
  if (strays.length === 0) return undefined
  const steps = strays.map((stray) => ({ do: 'uncordon' as const, ...stray }))
  // It makes nothing less ready than it was.
  if (status?.state === 'Ready') return { steps, state: 'Ready' }
  return { steps, state: standing(machines), ready: no('Uncordoning', whatIsMissing(machines)) }
}

/** Told to go, and about to: not if something keeps it. */
const isGoing = (controlPlane: ControlPlane, machine: Machine, etcd: EtcdSeen): boolean =>
  isInEtcd(machine) && !isDrainBlocked(machine) && !removalProblem(controlPlane, machine, etcd)

const areOthersWell = ({ pool: { known, taken, waiting }, api }: World): boolean =>
  taken.length === 0 &&
  waiting.length === 0 &&
  known.every(letsOthersLeave) &&
  api.is === 'answering'
