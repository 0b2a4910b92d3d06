import { forbiddenField, invalidField, required } from '#apiserver/field-error.ts'
import { dnsLabel } from '#apiserver/metadata/name-rules.ts'
import { fieldsAt, textAt } from '#apiserver/objects.ts'
import { checkPositive } from './endpoints.ts'
import { checkImmutable, checkLeast, checkOneOf, checkText } from './field-checks.ts'
import { childOf, fill, fillEmpty, isSame, itemsOf, partOf } from './fill.ts'
import { type BuiltinBehaviour, builtin, changesOf } from './kind-behaviour.ts'
import { setTemplateDefaults } from './pod-spec.ts'
import { validateTemplate } from './pod-spec-rules.ts'

/** Leases. They say who leads, so they are written often and checked little. */
export const lease: BuiltinBehaviour = builtin({
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
  setDefaults(object) {
    childOf(object, 'spec')
  },
  validate(object) {
    const spec = fieldsAt(object, 'spec')
    return [
      ...checkPositive(spec.leaseDurationSeconds, 'spec.leaseDurationSeconds'),
      ...checkLeast(spec.leaseTransitions, 'spec.leaseTransitions', 0),
    ]
  },
})

/** Limits of what pods may ask for: they are kept, and nothing is held to them. */
export const limitRange: BuiltinBehaviour = builtin({
  allowsCreateOnUpdate: true,
  setDefaults(object) {
    for (const limit of itemsOf(childOf(object, 'spec'), 'limits')) {
      if (limit.type !== 'Container') continue
      const most = partOf(limit, 'max')
      const usual = partOf(limit, 'default')
      if (most) fill(childOf(limit, 'default'), most)
      if (limit.default || usual) fill(childOf(limit, 'defaultRequest'), fieldsAt(limit, 'default'))
      const least = partOf(limit, 'min')
      if (least) fill(childOf(limit, 'defaultRequest'), least)
    }
  },
})

/** Quotas: they are kept, and nothing is counted. */
export const resourceQuota: BuiltinBehaviour = builtin({
  setDefaults(object) {
    childOf(object, 'spec')
    childOf(object, 'status')
  },
  newStatus: () => ({}),
})

export const podTemplate: BuiltinBehaviour = builtin({
  hasGeneration: true,
  countsAsChange: changesOf('template'),
  setDefaults(object) {
    setTemplateDefaults(childOf(object, 'template'))
  },
  validate: (object) => validateTemplate(fieldsAt(object, 'template'), 'template'),
})

export const controllerRevision: BuiltinBehaviour = builtin({
  setDefaults(object) {
    fill(object, { revision: 0 })
  },
  validate: (object, old) => [
    ...checkLeast(object.revision, 'revision', 0),
    ...(object.data == null ? [required('data', 'data is mandatory')] : []),
    ...(old ? checkImmutable(object.data, isSame(object.data, old.data), 'data') : []),
  ],
})

const highestPriority = 1_000_000_000

/** Every cluster has these two, which the server creates itself. */
export const SYSTEM_CLASSES: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

export const priorityClass: BuiltinBehaviour = builtin({
  hasGeneration: true,
  countsAsChange: () => false,
  setDefaults(object) {
    fill(object, { value: 0, preemptionPolicy: 'PreemptLowerPriority' })
  },
  validate(object, old) {
    const name = textAt(fieldsAt(object, 'metadata'), 'name') ?? ''
    if (old)
      return [
        ...(object.value === old.value
          ? []
          : [forbiddenField('value', 'may not be changed in an update.')]),
        ...checkImmutable(
          object.preemptionPolicy,
          object.preemptionPolicy === old.preemptionPolicy,
          'preemptionPolicy',
        ),
      ]
    if (SYSTEM_CLASSES[name] === object.value) return []
    if (name.startsWith('system-'))
      return [
        forbiddenField(
          'metadata.name',
          `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
        ),
      ]
    return [
      ...(Number(object.value) > highestPriority
        ? [
            forbiddenField(
              'value',
              `maximum allowed value of a user defined priority is ${highestPriority}`,
            ),
          ]
        : []),
      ...checkOneOf(object.preemptionPolicy, 'preemptionPolicy', ['PreemptLowerPriority', 'Never']),
    ]
  },
})

export const runtimeClass: BuiltinBehaviour = builtin({
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
  validate: (object, old) => [
    ...checkText(object.handler, 'handler', dnsLabel),
    ...(old ? checkImmutable(object.handler, object.handler === old.handler, 'handler') : []),
  ],
})

/** Addresses that services have, as objects; here services keep theirs for themselves. */
export const ipAddress: BuiltinBehaviour = builtin({
  validate: (object) =>
    partOf(fieldsAt(object, 'spec'), 'parentRef') ? [] : [required('spec.parentRef', '')],
})

/** Services that answer for a group of the API: they are kept, and nobody is asked. */
export const apiServices: BuiltinBehaviour = builtin({
  allowsUnconditionalUpdate: false,
  nameRule: 'pathSegment',
  setDefaults(object) {
    const target = partOf(childOf(object, 'spec'), 'service')
    if (target) fill(target, { port: 443 })
    childOf(object, 'status')
  },
  newStatus: () => ({}),
  validate(object) {
    const { group = '', version = '' } = fieldsAt(object, 'spec')
    const name = textAt(fieldsAt(object, 'metadata'), 'name')
    const wanted = `${String(version)}.${String(group)}`
    return name === wanted
      ? []
      : [
          invalidField(
            'metadata.name',
            name,
            `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`,
          ),
        ]
  },
})

export const flowSchema: BuiltinBehaviour = builtin({
  hasGeneration: true,
  setDefaults(object) {
    fillEmpty(childOf(object, 'spec'), { matchingPrecedence: 1000 })
    childOf(object, 'status')
  },
  newStatus: () => ({}),
})

export const priorityLevel: BuiltinBehaviour = builtin({
  hasGeneration: true,
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    const exempt = partOf(spec, 'exempt')
    if (exempt) fill(exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 })
    const limited = partOf(spec, 'limited')
    if (limited) {
      fill(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 })
      const queuing = partOf(childOf(limited, 'limitResponse'), 'queuing')
      if (queuing) fillEmpty(queuing, { queues: 64, handSize: 8, queueLengthLimit: 50 })
    }
    childOf(object, 'status')
  },
  newStatus: () => ({}),
})
