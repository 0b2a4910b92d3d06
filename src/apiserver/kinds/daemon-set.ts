import { type FieldError, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import {
  checkCountOrPercent,
  checkImmutable,
  checkNotNegative,
  checkShareOfAll,
  isZeroCount,
} from './field-checks.ts'
import { childOf, fill, fillEmpty, isSame, partOf } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { setTemplateDefaults } from './pod-spec.ts'
import { checkStrategy } from './strategy-rules.ts'
import { validateSelector, validateWorkloadTemplate } from './workload-rules.ts'

const templateGeneration = 'deprecated.daemonset.template.generation'

const emptyStatus = (): Fields => ({
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
})

/** Daemon sets: no node runs their pods here. */
export const daemonSet: BuiltinBehaviour = builtin({
  hasGeneration: true,
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    fill(spec, { revisionHistoryLimit: 10 })
    const strategy = childOf(spec, 'updateStrategy')
    fillEmpty(strategy, { type: 'RollingUpdate' })
    if (strategy.type === 'RollingUpdate')
      fill(childOf(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 })
    setTemplateDefaults(childOf(spec, 'template'))
    // Kubernetes counts from here when it reads one, so that the writer owns the annotation.
    fill(childOf(childOf(object, 'metadata'), 'annotations'), { [templateGeneration]: '0' })
    fill(childOf(object, 'status'), emptyStatus())
  },
  newStatus: emptyStatus,
  prepareCreate(object) {
    setTemplateGeneration(object, 1)
  },
  prepareUpdate(object, old, context) {
    if (context.subresource) return
    const before = Number(fieldsAt(fieldsAt(old, 'metadata'), 'annotations')[templateGeneration])
    const changed = !isSame(fieldsAt(object, 'spec').template, fieldsAt(old, 'spec').template)
    setTemplateGeneration(object, (before || 1) + (changed ? 1 : 0))
  },
  validate(object, old, context) {
    if (context.subresource === 'status') return []
    const spec = fieldsAt(object, 'spec')
    const oldSpec = old && fieldsAt(old, 'spec')
    return [
      ...checkImmutable(
        spec.selector,
        !oldSpec || isSame(spec.selector, oldSpec.selector),
        'spec.selector',
      ),
      ...validateSelector(spec, 'daemonset'),
      ...validateWorkloadTemplate(spec),
      ...checkNotNegative(spec, 'spec', ['minReadySeconds']),
      ...validateStrategy(fieldsAt(spec, 'updateStrategy')),
      ...checkNotNegative(spec, 'spec', ['revisionHistoryLimit']),
    ]
  },
})

function setTemplateGeneration(object: Fields, generation: number): void {
  childOf(childOf(object, 'metadata'), 'annotations')[templateGeneration] = String(generation)
}

function validateStrategy(strategy: Fields): FieldError[] {
  const rolling = partOf(strategy, 'rollingUpdate')
  if (strategy.type !== 'RollingUpdate')
    return checkStrategy(strategy, 'spec.updateStrategy', ['RollingUpdate', 'OnDelete'])
  const field = 'spec.updateStrategy.rollingUpdate'
  if (!rolling) return [required(field, '')]
  const { maxUnavailable, maxSurge } = rolling
  const errors = [
    ...checkCountOrPercent(maxUnavailable, `${field}.maxUnavailable`),
    ...checkCountOrPercent(maxSurge, `${field}.maxSurge`),
  ]
  if (isZeroCount(maxUnavailable) && isZeroCount(maxSurge))
    errors.push(required(`${field}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'))
  return [...errors, ...checkShareOfAll(maxUnavailable, `${field}.maxUnavailable`)]
}
