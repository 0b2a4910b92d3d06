import type { Rule } from '#controllers/control-plane/decision.ts'
import { hasBegun } from '#controllers/control-plane/machine-facts.ts'
import { notSupportedYet } from '#engine/not-supported-yet.ts'
import { stuck } from '#engine/stuck.ts'
import { deliverySteps } from './health.ts'

/** What is accepted and not built yet says so, and nothing is done. */
export const notBuiltYet: Rule = ({ spec }) => {
  if (spec === undefined || spec.mode === 'metal') return undefined
  return { ready: notSupportedYet(`spec.mode ${spec.mode}`) }
}

/** A spec that is wrong is not half carried out; but nobody is locked out of a cluster that runs while it is. */
export const wrongInput: Rule = (_controlPlane, { problem, machines, due }) =>
  problem && {
    steps: deliverySteps(due),
    ...(hasBegun(machines) && { state: 'Bootstrapped' }),
    ready: stuck(problem.reason, problem.message),
    // What it is wrong about may be another object, which nobody is told of.
    again: 'later',
  }
