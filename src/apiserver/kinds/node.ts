import { type FieldError, forbiddenField, invalidField } from '#apiserver/field-error.ts'
import { labelValue, qualifiedName } from '#apiserver/metadata/label-rules.ts'
import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'
import { checkOneOf, checkRule, cidr, duplicateFinder } from './field-checks.ts'
import { childOf, fill, isSame, itemsOf, partOf } from './fill.ts'
import { duplicateGoValue } from './go-value.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { effects } from './pod-spec-rules.ts'
import { flagSelector } from './selectable.ts'

const systemTexts = [
  'machineID',
  'systemUUID',
  'bootID',
  'kernelVersion',
  'osImage',
  'containerRuntimeVersion',
  'kubeletVersion',
  'kubeProxyVersion',
  'operatingSystem',
  'architecture',
]

/** Nodes. They come with a status: kubelets create their own. */
export const node: BuiltinBehaviour = builtin({
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    if (spec.podCIDR && listAt(spec, 'podCIDRs').length === 0) spec.podCIDRs = [spec.podCIDR]
    const status = childOf(object, 'status')
    const capacity = partOf(status, 'capacity')
    if (capacity) fill(status, { allocatable: { ...capacity } })
    fill(childOf(childOf(status, 'daemonEndpoints'), 'kubeletEndpoint'), { Port: 0 })
    fill(childOf(status, 'nodeInfo'), Object.fromEntries(systemTexts.map((key) => [key, ''])))
  },
  prepareCreate(object) {
    const spec = childOf(object, 'spec')
    const taints = itemsOf(spec, 'taints')
    // A new node is not ready until somebody says that it is.
    const isTainted = taints.some(
      ({ key, effect }) => key === notReady.key && effect === notReady.effect,
    )
    if (!isTainted) spec.taints = [...taints, { ...notReady }]
  },
  prepareUpdate(object, old, context) {
    if (!context.subresource && old.status !== undefined) object.status = old.status
  },
  validate: (object, old) => [
    ...validateTaints(object),
    ...listAt(fieldsAt(object, 'spec'), 'podCIDRs').flatMap((range, index) =>
      checkRule(range, `spec.podCIDRs[${index}]`, cidr),
    ),
    // Kubernetes looks twice at the taints of a node that is changed, and tells of both.
    ...(old ? validateTaints(object) : []),
    ...(old ? refuse(fieldsAt(object, 'spec'), fieldsAt(old, 'spec')) : []),
  ],
  selectableFields: { 'spec.unschedulable': flagSelector('spec', 'unschedulable') },
})

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

function validateTaints(object: Fields): FieldError[] {
  const isDuplicate = duplicateFinder()
  return itemsOf(fieldsAt(object, 'spec'), 'taints').flatMap((taint, index) => {
    const { key = '', value = '', effect = '' } = taint
    const field = `metadata.taints[${index}]`
    const errors = [
      ...qualifiedName(String(key)).map((problem) => invalidField(`${field}.key`, key, problem)),
      ...labelValue(String(value)).map((problem) => invalidField(`${field}.value`, value, problem)),
      ...checkOneOf(effect, `${field}.effect`, effects),
    ]
    if (!isDuplicate(`${String(key)} ${String(effect)}`)) return errors
    const shown = { Key: key, Value: value, Effect: effect, TimeAdded: taint.timeAdded ?? null }
    const twice = duplicateGoValue(field, shown, 'taints must be unique by key and effect pair')
    return [...errors, twice]
  })
}

function refuse(spec: Fields, old: Fields): FieldError[] {
  const errors: FieldError[] = []
  if (old.podCIDRs && !isSame(spec.podCIDRs, old.podCIDRs))
    errors.push(
      forbiddenField(
        'spec.podCIDRs',
        'node updates may not change podCIDR except from "" to valid',
      ),
    )
  if (old.providerID && spec.providerID !== old.providerID)
    errors.push(
      forbiddenField(
        'spec.providerID',
        'node updates may not change providerID except from "" to valid',
      ),
    )
  return errors
}
