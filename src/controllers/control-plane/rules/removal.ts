import { ETCD_LEFT, FORCE_DELETION } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/control-plane/decision.ts'
import { claimedUuid, isClaimed, standing } from '#controllers/control-plane/machine-facts.ts'
import { etcdSeen } from '#engine/etcd-members.ts'
import { isTrue, leavingSteps, toBeRemoved } from '#engine/pool-machines.ts'
import { deadFirst, isLeaving, OLD_SPEC, removalProblem } from '#engine/removal.ts'
import { no } from '#runtime/plan.ts'

/**
 * A machine that was told to go leaves etcd before it is reset, one after the other, and only while those that remain are a
 * majority. Whoever deleted it hears here why it stays.
 */
export const leaveEtcd: Rule = (controlPlane, { machines }) => {
  const [next, ...rest] = deadFirst(machines.filter(isInEtcd))
  if (!next) return undefined
  const state = standing(machines)
  const onItsWay = machines.find((machine) => hasLeft(machine) && isTrue(machine, 'Reachable'))
  if (onItsWay) {
    return { state, ready: no('RemovingMachine', wordsForWaiting(next, onItsWay)) }
  }
  const etcd = etcdSeen(machines)
  const problems = [next, ...rest].map((machine) => ({
    ...{ machine, problem: removalProblem(controlPlane, machine, etcd) },
  }))
  const free = problems.find(({ problem }) => problem === undefined)
  if (!free) return { state, ...readyBy(problems[0]?.problem), again: 'later' }
  const { name } = free.machine.metadata
  const uuid = claimedUuid(free.machine) ?? ''
  return {
    steps: [{ do: 'leaveEtcd', machine: name, uuid }],
    state,
    ready: no('RemovingMachine', `${name} is taken out of etcd`),
  }
}

const readyBy = (ready: Decision['ready']) => ready && { ready }

const wordsForWaiting = ({ metadata }: Machine, { metadata: other }: Machine): string =>
  `${metadata.name} waits until ${other.name} is reset: one machine goes at a time`

/** Those that may be members, and are wiped when they go. Whoever goes without is somebody else's from then on. */
const isInEtcd = (machine: Machine): boolean =>
  isLeaving(machine) &&
  isClaimed(machine) &&
  !hasLeft(machine) &&
  machine.metadata.annotations?.[FORCE_DELETION] !== 'true' &&
  machine.spec?.deletionPolicy !== 'preserve'

const hasLeft = ({ metadata }: Machine): boolean => metadata.annotations?.[ETCD_LEFT] !== undefined

/**
 * A machine that is in the spec no more goes: at once if it does not answer, since it may keep others from joining;
 * otherwise when all that are wanted are well, so that whoever replaces it is there before it goes.
 */
export const removeSurplus: Rule = (controlPlane, { machines, pool, api, isOld }) => {
  const surplus = deadFirst(toBeRemoved(pool))
  const [next] = surplus
  // One goes at a time; those that were told to have their own rule.
  const isBusy = machines.some(
    (one) => isLeaving(one) && (!hasLeft(one) || isTrue(one, 'Reachable')),
  )
  if (!next || isBusy) return undefined
  const areOthersWell = pool.known.every((one) => isTrue(one, 'Ready')) && api.is === 'answering'
  if (isTrue(next, 'Reachable') && !areOthersWell) return undefined
  const state = standing(machines)
  if (isOld) return { state, ...OLD_SPEC, again: 'soon' }
  const etcd = etcdSeen(machines)
  const problem = removalProblem(controlPlane, next, etcd)
  if (problem) return { state, ready: problem, again: 'later' }
  return {
    steps: leavingSteps([next], false),
    state,
    ready: no('RemovingMachine', `${next.metadata.name} is in the spec no more, and goes`),
  }
}
