import { expect, test } from 'vitest'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import type { WriteContext } from '#apiserver/resource.ts'
import { atOnce } from '#apiserver/steps.ts'
import { kindErrors } from '#apiserver/write/kind-errors.ts'
import { behavioursIn } from './behaviours.ts'
import { ClusterAddresses } from './cluster-addresses.ts'

const warnings: string[] = []

const context: WriteContext = {
  user: { name: 'someone', groups: [] },
  now: '2026-01-01T00:00:00Z',
  dryRun: false,
  warn: (text) => warnings.push(text),
}

const behaviourOf = behavioursIn({
  clusterObjects: () => [],
  namespacedObject: () => undefined,
  addresses: new ClusterAddresses(),
})

const decoded = (kind: string, object: Fields): Fields => {
  const [group = '', plural = ''] = kind.split('/')
  behaviourOf(group, plural).setDefaults?.(object)
  return object
}

const created = (kind: string, given: Fields): Fields => {
  const [group = '', plural = ''] = kind.split('/')
  const object = decoded(kind, given)
  behaviourOf(group, plural).prepareCreate?.(object, context)
  return object
}

const job = (labels?: Fields): Fields => ({
  metadata: { name: 'j', uid: '1', ...(labels && { labels }) },
  spec: { template: { metadata: { labels: { app: 'a' } }, spec: { containers: [] } } },
})

test('the writer of a job without labels says those of its pods', () => {
  expect(decoded('batch/jobs', job()).metadata).toMatchObject({ labels: { app: 'a' } })
})

test('a job that has the labels of its pods has also those that they get from it', () => {
  const labels = { app: 'a', 'job-name': 'j', 'controller-uid': '1' }

  expect(created('batch/jobs', job()).metadata).toMatchObject({ labels })
  expect(created('batch/jobs', job({ app: 'a' })).metadata).toHaveProperty('labels', { app: 'a' })
})

test('the writer of a daemon set says the count of its templates, and the server what it is', () => {
  const key = 'deprecated.daemonset.template.generation'

  expect(decoded('apps/daemonsets', { metadata: {}, spec: {} }).metadata).toEqual({
    annotations: { [key]: '0' },
  })
  expect(created('apps/daemonsets', { metadata: {}, spec: {} }).metadata).toEqual({
    annotations: { [key]: '1' },
  })
})

test('an empty list of rules is none', () => {
  const roles = behaviourOf('rbac.authorization.k8s.io', 'roles')
  const object: Fields = { metadata: {}, rules: [] }
  roles.prepareUpdate?.(object, { metadata: {} }, context)

  expect(object.rules).toBeNull()
  expect(created('rbac.authorization.k8s.io/roles', { metadata: {}, rules: [] }).rules).toBeNull()
})

const services = behaviourOf('', 'services')
const ports = [{ port: 80, protocol: 'TCP', targetPort: 80 }]
const old = (): Fields => ({
  metadata: { name: 's', namespace: 'n' },
  spec: {
    type: 'ClusterIP',
    sessionAffinity: 'None',
    internalTrafficPolicy: 'Cluster',
    clusterIP: '10.96.0.9',
    clusterIPs: ['10.96.0.9'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports,
  },
})

const problemsOfChange = (change: Fields): string[] => {
  const object = old()
  object.spec = { ...fieldsAt(object, 'spec'), ...change }
  services.prepareUpdate?.(object, old(), context)
  return (services.validate?.(object, old(), context) ?? []).map(
    ({ field, message }) => `${field}: ${message}`,
  )
}

test('a service keeps its address, whichever of its fields is changed', () => {
  const refusal = (address: string) =>
    `spec.clusterIPs[0]: Invalid value: ["${address}"]: may not change once set`

  expect(problemsOfChange({})).toEqual([])
  expect(problemsOfChange({ clusterIP: '' })).toEqual([])
  expect(problemsOfChange({ clusterIP: '10.96.0.7' })).toEqual([refusal('10.96.0.7')])
  expect(problemsOfChange({ clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'] })).toEqual([
    refusal('10.96.0.7'),
  ])
})

test('a service keeps the family of its address', () => {
  expect(problemsOfChange({ ipFamilies: ['IPv6'] })).toContain(
    'spec.ipFamilies[0]: Invalid value: ["IPv6"]: may not change once set',
  )
})

test('a bad taint of a changed node is told of twice', () => {
  const node = behaviourOf('', 'nodes')
  const object = { spec: { taints: [{ key: 'a', effect: 'Never' }] } }

  expect(node.validate?.(object, undefined, context)).toHaveLength(1)
  expect(node.validate?.(object, { spec: {} }, context)).toHaveLength(2)
})

test('a secret of a certificate that is none is taken with a warning', () => {
  const secret = behaviourOf('', 'secrets')
  const content = { 'tls.crt': '', 'tls.key': '' }
  const object = { type: 'kubernetes.io/tls', data: content }
  const problems = atOnce(kindErrors(secret, { object, old: undefined }, context))

  expect(problems).toEqual([])
  expect(warnings).toEqual(['tls: failed to find any PEM data in certificate input'])
})
