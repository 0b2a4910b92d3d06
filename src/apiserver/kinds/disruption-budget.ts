import type { FieldError } from '#apiserver/field-error.ts'
import { validateLabelSelector } from '#apiserver/metadata/label-selector.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { checkCountOrPercent, checkOneOf, checkShareOfAll } from './field-checks.ts'
import { childOf, fill } from './fill.ts'
import { invalidGoValue } from './go-value.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'

const emptyStatus = (): Fields => ({
  disruptionsAllowed: 0,
  currentHealthy: 0,
  desiredHealthy: 0,
  expectedPods: 0,
})

/** How many pods may be taken away at once. Evictions ask the status, which somebody has to keep. */
export const podDisruptionBudget: BuiltinBehaviour = builtin({
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  setDefaults(object) {
    childOf(object, 'spec')
    fill(childOf(object, 'status'), emptyStatus())
  },
  newStatus: emptyStatus,
  validate: (object, _old, context) =>
    context.subresource ? [] : validateBudget(fieldsAt(object, 'spec')),
})

function validateBudget(spec: Fields): FieldError[] {
  const { minAvailable = null, maxUnavailable = null, selector = null } = spec
  const policy = spec.unhealthyPodEvictionPolicy ?? null
  const errors: FieldError[] = []
  if (minAvailable !== null && maxUnavailable !== null) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: policy,
    }
    errors.push(invalidGoValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set'))
  }
  for (const key of ['minAvailable', 'maxUnavailable'])
    errors.push(
      ...checkCountOrPercent(spec[key], `spec.${key}`),
      ...checkShareOfAll(spec[key], `spec.${key}`),
    )
  return [
    ...errors,
    ...validateLabelSelector(fieldsAt(spec, 'selector'), 'spec.selector'),
    ...checkOneOf(policy, 'spec.unhealthyPodEvictionPolicy', ['AlwaysAllow', 'IfHealthyBudget']),
  ]
}
