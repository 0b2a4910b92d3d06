import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'
import { checkImmutable, checkOneOf, checkPort, checkRule, ipAddress } from './field-checks.ts'
import { childOf, fill, fillEmpty, isSame, itemsOf } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'

/** Where a service is reached; nobody but their writers keeps them up to date. */
export const endpoints: BuiltinBehaviour = builtin({
  allowsCreateOnUpdate: true,
  setDefaults(object) {
    for (const subset of itemsOf(object, 'subsets'))
      for (const port of itemsOf(subset, 'ports')) fillEmpty(port, { protocol: 'TCP' })
  },
  prepareCreate(_object, context) {
    context.warn(deprecated)
  },
  prepareUpdate(_object, _old, context) {
    context.warn(deprecated)
  },
  validate: (object) =>
    itemsOf(object, 'subsets').flatMap((subset, index) =>
      validateSubset(subset, `subsets[${index}]`),
    ),
})

const deprecated = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'

function validateSubset(subset: Fields, field: string): FieldError[] {
  const lists = ['addresses', 'notReadyAddresses']
  const ports = itemsOf(subset, 'ports')
  const errors = lists.every((key) => listAt(subset, key).length === 0)
    ? [required(field, 'must specify `addresses` or `notReadyAddresses`')]
    : []
  for (const key of lists)
    for (const [index, address] of itemsOf(subset, key).entries())
      errors.push(...checkRule(address.ip, `${field}.${key}[${index}].ip`, ipAddress))
  for (const [index, port] of ports.entries()) {
    const at = `${field}.ports[${index}]`
    if (ports.length > 1 && !port.name) errors.push(required(`${at}.name`, ''))
    errors.push(
      ...checkPort(port.port, `${at}.port`),
      ...checkOneOf(port.protocol, `${at}.protocol`, ['SCTP', 'TCP', 'UDP']),
    )
  }
  return errors
}

/** The same in parts. */
export const endpointSlice: BuiltinBehaviour = builtin({
  hasGeneration: true,
  countsAsChange: (object, old) =>
    ['addressType', 'endpoints', 'ports'].some((key) => !isSame(object[key], old[key])) ||
    !isSame(fieldsAt(object, 'metadata').labels, fieldsAt(old, 'metadata').labels),
  setDefaults(object) {
    for (const key of ['endpoints', 'ports'])
      if (listAt(object, key).length === 0) object[key] = null
    for (const port of itemsOf(object, 'ports')) fill(port, { name: '', protocol: 'TCP' })
    for (const endpoint of itemsOf(object, 'endpoints')) childOf(endpoint, 'conditions')
  },
  validate: (object, old) => [
    ...checkOneOf(object.addressType ?? '', 'addressType', ['FQDN', 'IPv4', 'IPv6']),
    ...itemsOf(object, 'ports').flatMap((port, index) =>
      checkOneOf(port.protocol, `ports[${index}].protocol`, ['SCTP', 'TCP', 'UDP']),
    ),
    ...itemsOf(object, 'endpoints').flatMap((endpoint, index) =>
      listAt(endpoint, 'addresses').length > 0
        ? []
        : [required(`endpoints[${index}].addresses`, 'must contain at least 1 address')],
    ),
    ...(old
      ? checkImmutable(object.addressType, object.addressType === old.addressType, 'addressType')
      : []),
  ],
})

/** A number that has to be above zero. */
export const checkPositive = (value: unknown, field: string): FieldError[] =>
  typeof value === 'number' && value <= 0
    ? [invalidField(field, value, 'must be greater than 0')]
    : []
