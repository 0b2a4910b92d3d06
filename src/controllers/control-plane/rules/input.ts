import { RECONCILE_MODE } from '#api/labels.ts'
import type { Rule } from '#controllers/control-plane/decision.ts'
import { hasBegun } from '#controllers/control-plane/machine-facts.ts'
import { no } from '#runtime/plan.ts'

/** What is accepted and not built yet says so, and nothing is done. */
export const notBuiltYet: Rule = ({ spec, metadata }) => {
  const what = notBuilt(spec?.mode, metadata.annotations)
  return what === undefined
    ? undefined
    : { ready: no('NotSupportedYet', `${what} is not supported yet: nothing is done`) }
}

function notBuilt(mode: string | undefined, annotations: Record<string, string> = {}) {
  if (mode !== undefined && mode !== 'metal') return `spec.mode ${mode}`
  const asked = annotations[RECONCILE_MODE]?.trim().toLowerCase()
  return asked === 'import' ? 'the import of a cluster that runs' : undefined
}

/** A spec that is wrong is not half carried out. */
export const wrongInput: Rule = (_controlPlane, { problem, machines }) =>
  problem && {
    ...(hasBegun(machines) && { state: 'Bootstrapped' }),
    ready: no(problem.reason, problem.message),
  }
