import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { validateLabelSelector } from '#apiserver/metadata/label-selector.ts'
import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'
import { checkOneOf, checkPortOrName, checkRule, cidr } from './field-checks.ts'
import { childOf, fill, itemsOf, partOf } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'

const directions = [
  { list: 'ingress', peers: 'from' },
  { list: 'egress', peers: 'to' },
] as const

/** Network policies: nothing enforces them here. */
export const networkPolicy: BuiltinBehaviour = builtin({
  hasGeneration: true,
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    childOf(spec, 'podSelector')
    if (listAt(spec, 'policyTypes').length === 0)
      spec.policyTypes = itemsOf(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
    for (const { list } of directions)
      for (const rule of itemsOf(spec, list))
        for (const port of itemsOf(rule, 'ports')) fill(port, { protocol: 'TCP' })
  },
  validate: (object) => validatePolicy(fieldsAt(object, 'spec')),
})

function validatePolicy(spec: Fields): FieldError[] {
  return [
    ...validateLabelSelector(fieldsAt(spec, 'podSelector'), 'spec.podSelector'),
    ...directions.flatMap(({ list, peers }) =>
      itemsOf(spec, list).flatMap((rule, index) => {
        const field = `spec.${list}[${index}]`
        return [
          ...itemsOf(rule, 'ports').flatMap((port, place) =>
            validatePort(port, `${field}.ports[${place}]`),
          ),
          ...itemsOf(rule, peers).flatMap((peer, place) =>
            validatePeer(peer, `${field}.${peers}[${place}]`),
          ),
        ]
      }),
    ),
    ...listAt(spec, 'policyTypes').flatMap((type, index) =>
      checkOneOf(type, `spec.policyTypes[${index}]`, ['Ingress', 'Egress']),
    ),
  ]
}

function validatePort({ protocol, port, endPort }: Fields, field: string): FieldError[] {
  const errors = checkOneOf(protocol, `${field}.protocol`, ['TCP', 'UDP', 'SCTP'])
  if (port != null) errors.push(...checkPortOrName(port, `${field}.port`))
  if (typeof endPort === 'number' && typeof port === 'number' && endPort < port)
    errors.push(invalidField(`${field}.endPort`, port, 'must be greater than or equal to `port`'))
  return errors
}

function validatePeer(peer: Fields, field: string): FieldError[] {
  const selectors = ['podSelector', 'namespaceSelector']
  const block = partOf(peer, 'ipBlock')
  if (!block && selectors.every((key) => peer[key] == null))
    return [required(field, 'must specify a peer')]
  return [
    ...selectors.flatMap((key) => validateLabelSelector(fieldsAt(peer, key), `${field}.${key}`)),
    ...(block ? checkRule(block.cidr, `${field}.ipBlock.cidr`, cidr) : []),
  ]
}
