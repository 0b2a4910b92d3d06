import { isIP } from 'node:net'
import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { dnsLabel, dnsSubdomain, wildcardSubdomain } from '#apiserver/metadata/name-rules.ts'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import { checkOneOf, checkPort, checkRule, checkText, portName } from './field-checks.ts'
import { childOf, fill, isSame, itemsOf, partOf } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import type { Surroundings } from './surroundings.ts'

/** Ingresses: nothing routes for them here. */
export const ingress = ({ clusterObjects }: Surroundings): BuiltinBehaviour =>
  builtin({
    hasGeneration: true,
    setDefaults(object) {
      childOf(object, 'spec')
      childOf(childOf(object, 'status'), 'loadBalancer')
    },
    newStatus: () => ({ loadBalancer: {} }),
    prepareCreate(object) {
      const spec = childOf(object, 'spec')
      const annotations = fieldsAt(fieldsAt(object, 'metadata'), 'annotations')
      if (spec.ingressClassName != null || annotations['kubernetes.io/ingress.class']) return
      const name = defaultClassIn(clusterObjects('networking.k8s.io', 'ingressclasses'))
      if (name) spec.ingressClassName = name
    },
    validate: (object, _old, context) =>
      context.subresource ? [] : validateIngress(fieldsAt(object, 'spec')),
  })

const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class'

function defaultClassIn(classes: Iterable<Fields>): string | undefined {
  for (const one of classes) {
    const metadata = fieldsAt(one, 'metadata')
    if (fieldsAt(metadata, 'annotations')[defaultAnnotation] === 'true')
      return textAt(metadata, 'name')
  }
  return undefined
}

function validateIngress(spec: Fields): FieldError[] {
  const rules = itemsOf(spec, 'rules')
  const backend = partOf(spec, 'defaultBackend')
  const errors: FieldError[] = []
  if (rules.length === 0 && !backend)
    errors.push(invalidField('spec', null, 'either `defaultBackend` or `rules` must be specified'))
  if (backend) errors.push(...validateBackend(backend, 'spec.defaultBackend'))
  for (const [index, rule] of rules.entries())
    errors.push(...validateRule(rule, `spec.rules[${index}]`))
  for (const [index, tls] of itemsOf(spec, 'tls').entries())
    for (const [place, host] of listAt(tls, 'hosts').entries())
      errors.push(...checkRule(host, `spec.tls[${index}].hosts[${place}]`, hostName))
  return [...errors, ...checkRule(spec.ingressClassName, 'spec.ingressClassName', dnsSubdomain)]
}

const hostName = (host: string): string[] =>
  host.includes('*') ? wildcardSubdomain(host) : dnsSubdomain(host)

function validateRule(rule: Fields, field: string): FieldError[] {
  const host = textAt(rule, 'host')
  const http = partOf(rule, 'http')
  const errors: FieldError[] = []
  if (host && isIP(host))
    errors.push(invalidField(`${field}.host`, host, 'must be a DNS name, not an IP address'))
  else errors.push(...checkRule(host, `${field}.host`, hostName))
  if (!http) return errors
  const paths = itemsOf(http, 'paths')
  if (paths.length === 0) errors.push(required(`${field}.http.paths`, ''))
  for (const [index, path] of paths.entries())
    errors.push(...validatePath(path, `${field}.http.paths[${index}]`))
  return errors
}

const forbiddenInPaths = ['//', '/./', '/../', '%2f', '%2F']

function validatePath(one: Fields, field: string): FieldError[] {
  const { pathType, path = '' } = one
  const text = String(path)
  if (!pathType) return [required(`${field}.pathType`, 'pathType must be specified')]
  const errors: FieldError[] = []
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!text.startsWith('/'))
      errors.push(invalidField(`${field}.path`, path, 'must be an absolute path'))
    for (const part of forbiddenInPaths)
      if (text.includes(part))
        errors.push(invalidField(`${field}.path`, path, `must not contain '${part}'`))
  } else
    errors.push(
      ...checkOneOf(pathType, `${field}.pathType`, ['Exact', 'ImplementationSpecific', 'Prefix']),
    )
  return [...errors, ...validateBackend(fieldsAt(one, 'backend'), `${field}.backend`)]
}

function validateBackend(backend: Fields, field: string): FieldError[] {
  const target = partOf(backend, 'service')
  const resource = partOf(backend, 'resource')
  if (resource && target)
    return [invalidField(field, '', 'cannot set both resource and service backends')]
  if (resource) return []
  if (!target) return [invalidField(field, '', 'resource or service backend is required')]
  const port = fieldsAt(target, 'port')
  const errors = checkText(target.name, `${field}.service.name`, dnsLabel)
  if (port.name && port.number)
    return [...errors, invalidField(field, '', 'cannot set both port name & port number')]
  if (port.name) return [...errors, ...checkRule(port.name, `${field}.service.port.name`, portName)]
  return port.number
    ? [...errors, ...checkPort(port.number, `${field}.service.port.number`)]
    : [...errors, required(field, 'port name or number is required')]
}

/** Classes of ingresses. */
export const ingressClass: BuiltinBehaviour = builtin({
  hasGeneration: true,
  setDefaults(object) {
    const parameters = partOf(childOf(object, 'spec'), 'parameters')
    if (parameters) fill(parameters, { scope: 'Cluster' })
  },
  validate(object, old) {
    const spec = fieldsAt(object, 'spec')
    const isChanged = old && !isSame(spec.controller, fieldsAt(old, 'spec').controller)
    return [
      ...checkText(spec.controller, 'spec.controller'),
      ...(isChanged
        ? [invalidField('spec.controller', spec.controller, 'field is immutable')]
        : []),
    ]
  },
})
