import { expect, test } from 'vitest'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import type { WriteContext } from '#apiserver/resource.ts'
import { behavioursIn } from './behaviours.ts'
import { ClusterAddresses } from './cluster-addresses.ts'

const context: WriteContext = {
  user: { name: 'jane', uid: '7', groups: ['g'], extra: { a: ['b'] } },
  now: '2026-01-01T00:00:00Z',
  dryRun: false,
  warn: () => {},
}

const marked = (name: string, annotation: string, creationTimestamp = ''): Fields => ({
  metadata: { name, creationTimestamp, annotations: { [annotation]: 'true' } },
})

const specAfter = (plural: string, spec: Fields, ...classes: Fields[]): Fields => {
  const group = plural === 'ingresses' ? 'networking.k8s.io' : ''
  const behaviourOf = behavioursIn({
    clusterObjects: () => classes,
    namespacedObject: () => undefined,
    addresses: new ClusterAddresses(),
  })
  const object: Fields = { metadata: { name: 'a' }, spec }
  behaviourOf(group, plural).prepareCreate?.(object, context)
  return fieldsAt(object, 'spec')
}

const storage = 'storageclass.kubernetes.io/is-default-class'
const ingress = 'ingressclass.kubernetes.io/is-default-class'

test('a claim that names no class has the newest default one', () => {
  const classes = [marked('old', storage, '2025'), marked('new', storage, '2026'), { metadata: {} }]

  expect(specAfter('persistentvolumeclaims', {}, ...classes).storageClassName).toBe('new')
  expect(specAfter('persistentvolumeclaims', {})).not.toHaveProperty('storageClassName')
  expect(
    specAfter('persistentvolumeclaims', { storageClassName: '' }, ...classes).storageClassName,
  ).toBe('')
})

test('an ingress that names no class has the default one', () => {
  expect(specAfter('ingresses', {}, marked('i', ingress)).ingressClassName).toBe('i')
  expect(
    specAfter('ingresses', { ingressClassName: 'x' }, marked('i', ingress)).ingressClassName,
  ).toBe('x')
})

test('a signing request says who asks, whatever it says itself', () => {
  const behaviourOf = behavioursIn({
    clusterObjects: () => [],
    namespacedObject: () => undefined,
    addresses: new ClusterAddresses(),
  })
  const object: Fields = { metadata: {}, spec: { username: 'root', groups: ['system:masters'] } }
  behaviourOf('certificates.k8s.io', 'certificatesigningrequests').prepareCreate?.(object, context)

  expect(object.spec).toEqual({ username: 'jane', uid: '7', groups: ['g'], extra: { a: ['b'] } })
})

test('the deprecated endpoints tell of it', () => {
  const behaviourOf = behavioursIn({
    clusterObjects: () => [],
    namespacedObject: () => undefined,
    addresses: new ClusterAddresses(),
  })
  const warnings: string[] = []
  const warn = (text: string): void => void warnings.push(text)
  behaviourOf('', 'endpoints').prepareCreate?.({}, { ...context, warn })

  expect(warnings).toEqual([
    'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  ])
})

test('a namespace is released by its subresource only', () => {
  const behaviourOf = behavioursIn({
    clusterObjects: () => [],
    namespacedObject: () => undefined,
    addresses: new ClusterAddresses(),
  })
  const { prepareUpdate } = behaviourOf('', 'namespaces')
  const old = { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } }
  const plain: Fields = { spec: { finalizers: [] }, status: {} }
  const released: Fields = { spec: { finalizers: [] }, status: {} }

  prepareUpdate?.(plain, old, context)
  prepareUpdate?.(released, old, { ...context, subresource: 'finalize' })
  expect(plain).toEqual(old)
  expect(released).toEqual({ spec: { finalizers: [] }, status: { phase: 'Terminating' } })
})
