import type { ControlPlane } from '#api/control-plane.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/control-plane/decision.ts'
import {
  claimedUuid,
  hasEverBegun,
  hasLeft,
  isClaimed,
  standing,
} from '#controllers/control-plane/machine-facts.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { type EtcdSeen, etcdSeen } from '#engine/etcd-members.ts'
import { isTrue, leavingSteps, toBeRemoved } from '#engine/pool-machines.ts'
import { isLeaving, isSick, OLD_SPEC, removalProblem, sickFirst } from '#engine/removal.ts'
import { no } from '#runtime/plan.ts'
import { isRestrained } from '#runtime/reconcile-mode.ts'
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
  if (isTurnHeld(world)) return { state, ready: waitingForTurnOf(first) }
  const onItsWay = machines.find(isBeingReset)
  if (onItsWay) return { state, ready: waitingFor(first, onItsWay) }
  const free = leaving.find((machine) => !removalProblem(controlPlane, machine, etcd))
  if (!free) {
    // Whoever is in the way of it may be one that is in the spec no more.
    const isOtherFree = toBeRemoved(pool).some(
      (one) => isSick(one) && !removalProblem(controlPlane, one, etcd),
    )
    const problem = removalProblem(controlPlane, first, etcd)
    return isOtherFree || !problem ? undefined : { state, ready: problem, again: 'later' }
  }
  const { name } = free.metadata
  return {
    steps: [{ do: 'leaveEtcd', machine: name, uuid: claimedUuid(free) ?? '' }],
    state,
    ready: no('RemovingMachine', `${name} is taken out of etcd`),
  }
}

/** Whom the cluster begins on is settled, and whether it did is not seen yet: then nobody goes. */
const isAboutToBegin = (controlPlane: ControlPlane, { voters }: EtcdSeen): boolean =>
  hasEverBegun(controlPlane) && voters.length === 0

/** One thing is done at a time: another machine may be about to reboot. */
const waitingForTurnOf = ({ metadata }: Machine) =>
  no('RemovingMachine', `${metadata.name} waits until the machine whose turn it is was changed`)

const waitingFor = ({ metadata }: Machine, { metadata: other }: Machine) =>
  no('RemovingMachine', `${metadata.name} waits until ${other.name} is reset: one goes at a time`)

/** Those that may be members, and are wiped when they go. Whoever goes without is somebody else's from then on. */
const isInEtcd = (machine: Machine): boolean =>
  isLeaving(machine) &&
  isClaimed(machine) &&
  !hasLeft(machine) &&
  !isRestrained(machine) &&
  machine.metadata.annotations?.[FORCE_DELETION] !== 'true' &&
  machine.spec?.deletionPolicy !== 'preserve'

/** One that does not answer is waited for by nobody. */
const isBeingReset = (machine: Machine): boolean =>
  isLeaving(machine) && hasLeft(machine) && isTrue(machine, 'Reachable')

/**
 * A machine that is in the spec no more goes: at once if it does not work, since it may keep others from joining;
 * otherwise when all that are wanted are well, so that whoever replaces it is there before it goes.
 */
export const removeSurplus: Rule = (controlPlane, world) => {
  const { machines, pool, isOld } = world
  const etcd = etcdSeen(machines)
  const surplus = sickFirst(toBeRemoved(pool))
  const next = surplus.find((one) => !removalProblem(controlPlane, one, etcd)) ?? surplus[0]
  if (!next || isAboutToBegin(controlPlane, etcd)) return undefined
  const state = standing(machines)
  if (isTurnHeld(world)) return { state, ready: waitingForTurnOf(next) }
  const busy = machines.find((one) => isBeingReset(one) || isGoing(controlPlane, one, etcd))
  if (busy) return { state, ready: waitingFor(next, busy) }
  if (!isSick(next) && !areOthersWell(world)) return undefined
  if (isOld) return { state, ...OLD_SPEC, again: 'soon' }
  const problem = removalProblem(controlPlane, next, etcd)
  if (problem) return { state, ready: problem, again: 'later' }
  return {
    steps: leavingSteps([next], false),
    state,
    ready: no('RemovingMachine', `${next.metadata.name} is in the spec no more, and goes`),
  }
}

/** Told to go, and about to: not if something keeps it. */
const isGoing = (controlPlane: ControlPlane, machine: Machine, etcd: EtcdSeen): boolean =>
  isInEtcd(machine) && !removalProblem(controlPlane, machine, etcd)

const areOthersWell = ({ pool: { known, taken, waiting }, api }: World): boolean =>
  taken.length === 0 &&
  waiting.length === 0 &&
  known.every((one) => isTrue(one, 'Ready')) &&
  api.is === 'answering'
