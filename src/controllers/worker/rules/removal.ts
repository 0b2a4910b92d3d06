import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/worker/decision.ts'
import type { World } from '#controllers/worker/world.ts'
import { maxUnavailable } from '#engine/max-unavailable.ts'
import { letsOthersLeave } from '#engine/pending.ts'
import { isTrue, leavingSteps, toBeRemoved, whatBlocks } from '#engine/pool-machines.ts'
import type { MachinePlan } from '#engine/pool-plan.ts'
import { isDrainBlocked, isLeaving, OLD_SPEC, waitsForAnswers } from '#engine/removal.ts'
import { stuck } from '#engine/stuck.ts'
import { no, type Verdict } from '#runtime/plan.ts'

/**
 * Machines that are in the spec no more go, as many at a time as may be down; whoever does not answer is down anyway, and goes
 * if it is known to be none of those that are wanted. They leave when whoever replaces them is there. Those that stay may wait
 * to be changed: they may wait for those that go.
 */
export const removeSurplus: Rule = ({ spec }, world) => {
  const { machines, pool, isOld } = world
  const surplus = toBeRemoved(pool)
  if (surplus.length === 0) return undefined
  if (isOld) return { state: 'Pending', ...OLD_SPEC, isWaiting: true }
  const areOthersWell =
    pool.taken.length === 0 &&
    pool.known.every((one) => letsOthersLeave(one) && !hasTurn(one, world))
  const limit = maxUnavailable(spec?.rolloutStrategy.rollingUpdate?.maxUnavailable, machines.length)
  const underWay = machines.filter((one) => isLeaving(one) && isAlive(one)).length
  const free = areOthersWell ? Math.max(0, limit - underWay) : 0
  const next = [
    ...(silentStay(pool) ? [] : surplus.filter((machine) => !isAlive(machine))),
    ...surplus.filter(isAlive).slice(0, free),
  ]
  // What is not well, or cannot be drained, says so itself, further down.
  if (next.length === 0 && (!areOthersWell || machines.some(isDrainBlocked))) return undefined
  const names = surplus.map(({ metadata }) => metadata.name).sort()
  return {
    steps: leavingSteps(next, false),
    state: 'Pending',
    ready: no('RemovingMachines', `in the spec no more, and on their way out: ${names.join(', ')}`),
  }
}

/** Whether it is about to be changed, though it may not say so yet. */
const hasTurn = ({ metadata }: Machine, { turns: { turns } }: World): boolean =>
  (turns?.held ?? []).some(({ uid }) => uid === metadata.uid)

const isAlive = (machine: Machine): boolean => isTrue(machine, 'Reachable')

/** Why those that do not answer stay though they are in the spec no more, if they do. */
export const silentStay = (pool: MachinePlan): Verdict | undefined =>
  waitsForAnswers(
    toBeRemoved(pool).filter((machine) => !isAlive(machine)),
    pool,
  )

/** Machines that could not be drained stay, and keep others waiting that are to go. */
export const drainBlocked: Rule = (_worker, { machines }) => {
  const blocked = machines.filter(isDrainBlocked)
  return blocked.length === 0
    ? undefined
    : { state: 'Pending', ready: stuck('DrainBlocked', whatBlocks(blocked)) }
}
