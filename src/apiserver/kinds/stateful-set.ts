import { type FieldError, forbiddenField, invalidField } from '#apiserver/field-error.ts'
import { dnsLabel } from '#apiserver/metadata/name-rules.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { setClaimSpecDefaults } from './claim-spec.ts'
import { checkNotNegative, checkRule } from './field-checks.ts'
import { childOf, fill, fillEmpty, isSame, itemsOf, partOf } from './fill.ts'
import { invalidGoValue } from './go-value.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { setTemplateDefaults } from './pod-spec.ts'
import { strategyProblem } from './strategy-rules.ts'
import { validateSelector, validateWorkloadTemplate } from './workload-rules.ts'

const emptyStatus = (): Fields => ({ replicas: 0, availableReplicas: 0 })

/** Stateful sets: nothing makes their pods or claims here. */
export const statefulSet: BuiltinBehaviour = builtin({
  hasGeneration: true,
  nameRule: 'label',
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    fill(spec, { replicas: 1, revisionHistoryLimit: 10, serviceName: '' })
    fillEmpty(spec, { podManagementPolicy: 'OrderedReady' })
    setStrategyDefaults(childOf(spec, 'updateStrategy'))
    fillEmpty(childOf(spec, 'persistentVolumeClaimRetentionPolicy'), {
      whenDeleted: 'Retain',
      whenScaled: 'Retain',
    })
    setTemplateDefaults(childOf(spec, 'template'))
    for (const claim of itemsOf(spec, 'volumeClaimTemplates')) setClaimDefaults(claim)
    fill(childOf(object, 'status'), emptyStatus())
  },
  newStatus: emptyStatus,
  validate: (object, old, context) =>
    context.subresource === 'status'
      ? []
      : [...validateStatefulSet(fieldsAt(object, 'spec')), ...(old ? refuse(object, old) : [])],
})

function setStrategyDefaults(strategy: Fields): void {
  if (!strategy.type) {
    strategy.type = 'RollingUpdate'
    childOf(strategy, 'rollingUpdate')
  }
  const rolling = partOf(strategy, 'rollingUpdate')
  if (strategy.type === 'RollingUpdate' && rolling) fill(rolling, { partition: 0 })
}

function setClaimDefaults(claim: Fields): void {
  fillEmpty(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' })
  setClaimSpecDefaults(childOf(claim, 'spec'))
  fillEmpty(childOf(claim, 'status'), { phase: 'Pending' })
}

function validateStatefulSet(spec: Fields): FieldError[] {
  const { podManagementPolicy: policy } = spec
  const errors: FieldError[] = []
  if (policy !== 'OrderedReady' && policy !== 'Parallel')
    errors.push(
      invalidField('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"),
    )
  return [
    ...errors,
    ...validateStrategy(fieldsAt(spec, 'updateStrategy')),
    ...checkNotNegative(spec, 'spec', ['replicas', 'minReadySeconds']),
    ...validateSelector(spec, 'statefulset'),
    ...validateWorkloadTemplate(spec),
    ...checkRule(spec.serviceName, 'spec.serviceName', dnsLabel),
  ]
}

function validateStrategy(strategy: Fields): FieldError[] {
  const rolling = partOf(strategy, 'rollingUpdate')
  if (strategy.type === 'RollingUpdate')
    return checkNotNegative(rolling ?? {}, 'spec.updateStrategy.rollingUpdate', ['partition'])
  if (strategy.type !== 'OnDelete')
    return [
      strategyProblem(strategy, 'spec.updateStrategy', "must be 'RollingUpdate' or 'OnDelete'"),
    ]
  if (!rolling) return []
  const shown = {
    Partition: rolling.partition ?? null,
    MaxUnavailable: rolling.maxUnavailable ?? null,
  }
  return [
    invalidGoValue(
      'spec.updateStrategy.rollingUpdate',
      shown,
      "only allowed for updateStrategy 'RollingUpdate'",
    ),
  ]
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

function refuse(object: Fields, old: Fields): FieldError[] {
  const [spec, oldSpec] = [fieldsAt(object, 'spec'), fieldsAt(old, 'spec')]
  const keys = new Set([...Object.keys(spec), ...Object.keys(oldSpec)])
  const isRefused = [...keys].some(
    (key) => !changeable.includes(key) && !isSame(spec[key], oldSpec[key]),
  )
  return isRefused
    ? [
        forbiddenField(
          'spec',
          "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ),
      ]
    : []
}
