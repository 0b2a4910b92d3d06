import { type FieldError, forbiddenField, invalidField, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { checkLeast, checkText } from './field-checks.ts'
import { childOf, fill, itemsOf, partOf } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'

const perQuarterMinute = (type: string, value: number): Fields => ({
  type,
  value,
  periodSeconds: 15,
})

/** Autoscalers, as `autoscaling/v2` has them: nothing scales here. */
export const horizontalPodAutoscaler: BuiltinBehaviour = builtin({
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    fill(spec, { minReplicas: 1, maxReplicas: 0 })
    if (itemsOf(spec, 'metrics').length === 0)
      spec.metrics = [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ]
    const behavior = partOf(spec, 'behavior')
    if (behavior) setBehaviorDefaults(behavior)
    fill(childOf(spec, 'scaleTargetRef'), { kind: '', name: '' })
    setStatusDefaults(childOf(object, 'status'))
  },
  newStatus: () => setStatusDefaults({}),
  validate: (object, _old, context) =>
    context.subresource ? [] : validateAutoscaler(fieldsAt(object, 'spec')),
})

function setStatusDefaults(status: Fields): Fields {
  fill(status, { desiredReplicas: 0 })
  status.currentMetrics ??= null
  return status
}

function setBehaviorDefaults(behavior: Fields): void {
  fill(childOf(behavior, 'scaleUp'), {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [perQuarterMinute('Pods', 4), perQuarterMinute('Percent', 100)],
  })
  fill(childOf(behavior, 'scaleDown'), {
    selectPolicy: 'Max',
    policies: [perQuarterMinute('Percent', 100)],
  })
}

function validateAutoscaler(spec: Fields): FieldError[] {
  const { minReplicas = 1, maxReplicas = 0 } = spec
  const target = fieldsAt(spec, 'scaleTargetRef')
  const errors = checkLeast(minReplicas, 'spec.minReplicas', 1)
  if (Number(maxReplicas) < 1)
    errors.push(required('spec.maxReplicas', 'must be set and greater than 0'))
  if (Number(maxReplicas) < Number(minReplicas))
    errors.push(
      invalidField(
        'spec.maxReplicas',
        maxReplicas,
        'must be greater than or equal to `minReplicas`',
      ),
    )
  errors.push(
    ...checkText(target.kind, 'spec.scaleTargetRef.kind'),
    ...checkText(target.name, 'spec.scaleTargetRef.name'),
  )
  if (!textAt(target, 'apiVersion'))
    errors.push(
      invalidField('spec.scaleTargetRef.apiVersion', '', 'apiVersion must specify API group'),
    )
  if (minReplicas === 0 && !hasOutsideMetric(spec))
    errors.push(
      forbiddenField(
        'spec.metrics',
        'must specify at least one Object or External metric to support scaling to zero replicas',
      ),
    )
  return errors
}

const hasOutsideMetric = (spec: Fields): boolean =>
  itemsOf(spec, 'metrics').some(({ type }) => type === 'Object' || type === 'External')
