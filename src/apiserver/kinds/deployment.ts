import { type FieldError, forbiddenField, invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import {
  checkCountOrPercent,
  checkImmutable,
  checkNotNegative,
  checkShareOfAll,
  isZeroCount,
} from './field-checks.ts'
import { childOf, fill, fillEmpty, isSame, partOf, takeOver } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { setTemplateDefaults } from './pod-spec.ts'
import { checkStrategy } from './strategy-rules.ts'
import { validateSelector, validateWorkloadTemplate } from './workload-rules.ts'

/** Deployments: nothing rolls them out here; whoever wants a status writes it. */
export const deployment: BuiltinBehaviour = builtin({
  hasGeneration: true,
  statusKeeps: [['f:metadata', 'f:labels']],
  // Annotations are handed on to replica sets, so they count.
  countsAsChange: (object, old) =>
    !isSame(object.spec, old.spec) || !isSame(annotationsOf(object), annotationsOf(old)),
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 })
    const strategy = childOf(spec, 'strategy')
    fillEmpty(strategy, { type: 'RollingUpdate' })
    if (strategy.type === 'RollingUpdate')
      fill(childOf(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' })
    setTemplateDefaults(childOf(spec, 'template'))
    childOf(object, 'status')
  },
  newStatus: () => ({}),
  prepareUpdate(object, old, context) {
    if (context.subresource === 'status')
      takeOver(childOf(object, 'metadata'), fieldsAt(old, 'metadata'), 'labels')
  },
  validate: (object, old, context) =>
    context.subresource === 'status'
      ? validateStatus(fieldsAt(object, 'status'), fieldsAt(old ?? {}, 'status'))
      : [...validateDeployment(fieldsAt(object, 'spec')), ...(old ? refuse(object, old) : [])],
})

const annotationsOf = (object: Fields): unknown => fieldsAt(object, 'metadata').annotations

function validateDeployment(spec: Fields): FieldError[] {
  const { progressDeadlineSeconds: deadline, minReadySeconds: ready = 0 } = spec
  return [
    ...checkNotNegative(spec, 'spec', ['replicas']),
    ...validateSelector(spec, 'deployment'),
    ...validateWorkloadTemplate(spec),
    ...validateStrategy(fieldsAt(spec, 'strategy')),
    ...checkNotNegative(spec, 'spec', [
      'minReadySeconds',
      'revisionHistoryLimit',
      'progressDeadlineSeconds',
    ]),
    ...(typeof deadline === 'number' && deadline <= Number(ready)
      ? [
          invalidField(
            'spec.progressDeadlineSeconds',
            deadline,
            'must be greater than minReadySeconds',
          ),
        ]
      : []),
  ]
}

function validateStrategy(strategy: Fields): FieldError[] {
  const rolling = partOf(strategy, 'rollingUpdate')
  if (strategy.type === 'Recreate')
    return rolling
      ? [
          forbiddenField(
            'spec.strategy.rollingUpdate',
            "may not be specified when strategy `type` is 'Recreate'",
          ),
        ]
      : []
  if (!rolling || strategy.type !== 'RollingUpdate')
    return checkStrategy(strategy, 'spec.strategy', ['Recreate', 'RollingUpdate'])
  return validateRolling(rolling, 'spec.strategy.rollingUpdate')
}

function validateRolling({ maxUnavailable, maxSurge }: Fields, field: string): FieldError[] {
  const errors = [
    ...checkCountOrPercent(maxUnavailable, `${field}.maxUnavailable`),
    ...checkCountOrPercent(maxSurge, `${field}.maxSurge`),
  ]
  if (isZeroCount(maxUnavailable) && isZeroCount(maxSurge))
    errors.push(
      invalidField(`${field}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'),
    )
  return [...errors, ...checkShareOfAll(maxUnavailable, `${field}.maxUnavailable`)]
}

const counts = ['updatedReplicas', 'readyReplicas', 'availableReplicas']

function validateStatus(status: Fields, old: Fields): FieldError[] {
  const count = (key: string, of = status): number => Number(of[key] ?? 0)
  const tooMany = (key: string, most: string): FieldError[] =>
    count(key) > count(most.replace('status.', ''))
      ? [invalidField(`status.${key}`, count(key), `cannot be greater than ${most}`)]
      : []
  return [
    ...checkNotNegative(status, 'status', [
      ...['observedGeneration', 'replicas', ...counts],
      ...['unavailableReplicas', 'terminatingReplicas', 'collisionCount'],
    ]),
    ...counts.flatMap((key) => tooMany(key, 'status.replicas')),
    ...tooMany('availableReplicas', 'readyReplicas'),
    ...(count('collisionCount') < count('collisionCount', old)
      ? [invalidField('status.collisionCount', count('collisionCount'), 'cannot be decremented')]
      : []),
  ]
}

const refuse = (object: Fields, old: Fields): FieldError[] => {
  const [spec, oldSpec] = [fieldsAt(object, 'spec'), fieldsAt(old, 'spec')]
  return checkImmutable(spec.selector, isSame(spec.selector, oldSpec.selector), 'spec.selector')
}
