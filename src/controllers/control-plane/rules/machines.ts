import type { Rule } from '#controllers/control-plane/decision.ts'
import { hasBegun, standing } from '#controllers/control-plane/machine-facts.ts'
import { machineSteps, machinesInTheWay } from '#engine/pool-machines.ts'
import { no } from '#runtime/plan.ts'

/** Each machine of the spec has its object; what is to be changed on machines is theirs to say. */
export const machines: Rule = (_controlPlane, { pool, machines: all }) => {
  const steps = machineSteps(pool)
  return steps.length === 0
    ? undefined
    : {
        steps,
        state: standing(all),
        ready: no('CreatingMachines', 'the objects of its machines are made'),
      }
}

/** A cluster does not begin before it is known where all of its machines are. */
export const unresolved: Rule = (_controlPlane, { unresolved: problem, machines: all }) =>
  problem && !hasBegun(all)
    ? { state: 'Pending', ready: no(problem.reason, problem.message), again: 'soon' }
    : undefined

/** What the spec says and cannot be done, now or at all. */
export const inTheWay: Rule = (_controlPlane, { pool, unresolved: problem }) => {
  const ready = problem ? no(problem.reason, problem.message) : machinesInTheWay(pool)
  return ready && { state: 'Bootstrapped', ready, ...(problem && { again: 'soon' }) }
}
