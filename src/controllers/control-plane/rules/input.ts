import type { Rule } from '#controllers/control-plane/decision.ts'
import { hasBegun } from '#controllers/control-plane/machine-facts.ts'
import { isImport, notSupportedYet } from '#engine/not-supported-yet.ts'
import { no } from '#runtime/plan.ts'

/** What is accepted and not built yet says so, and nothing is done. */
export const notBuiltYet: Rule = ({ spec, metadata }) => {
  if (isImport(metadata)) return { ready: notSupportedYet('the import of a cluster that runs') }
  if (spec === undefined || spec.mode === 'metal') return undefined
  return { ready: notSupportedYet(`spec.mode ${spec.mode}`) }
}

/** A spec that is wrong is not half carried out. */
export const wrongInput: Rule = (_controlPlane, { problem, machines }) =>
  problem && {
    ...(hasBegun(machines) && { state: 'Bootstrapped' }),
    ready: no(problem.reason, problem.message),
    // What it is wrong about may be another object, which nobody is told of.
    again: 'later',
  }
