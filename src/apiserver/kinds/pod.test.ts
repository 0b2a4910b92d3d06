import { expect, test } from 'vitest'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import type { WriteContext } from '#apiserver/resource.ts'
import { ClusterAddresses } from './cluster-addresses.ts'
import { pod } from './pod.ts'
import { qosClassOf } from './pod-qos.ts'

const context: WriteContext = {
  user: { name: 'someone', groups: [] },
  now: '2026-01-01T00:00:00Z',
  dryRun: false,
  warn: () => {},
}

const podsWith = (...classes: Fields[]) =>
  pod({
    clusterObjects: () => classes,
    namespacedObject: () => undefined,
    addresses: new ClusterAddresses(),
  })

const specAfter = (spec: Fields, ...classes: Fields[]): Fields => {
  const object: Fields = { metadata: { name: 'p' }, spec }
  podsWith(...classes).prepareCreate?.(object, context)
  return fieldsAt(object, 'spec')
}

const important = { metadata: { name: 'important' }, value: 7, preemptionPolicy: 'Never' }

test('a pod has the priority of the class that it names', () => {
  expect(specAfter({ priorityClassName: 'important' }, important)).toMatchObject({
    priority: 7,
    preemptionPolicy: 'Never',
  })
  expect(specAfter({ priorityClassName: 'system-node-critical' }).priority).toBe(2_000_001_000)
})

test('a pod that names no class has the one that counts by default', () => {
  const spec = specAfter({}, important, { ...important, globalDefault: true })

  expect(spec).toMatchObject({ priority: 7, priorityClassName: 'important' })
  expect(specAfter({}, important)).toMatchObject({ priority: 0 })
})

test('a pod cannot name a class that is not there', () => {
  expect(() => specAfter({ priorityClassName: 'nope' })).toThrow(
    'pods "p" is forbidden: no PriorityClass with name nope was found',
  )
})

test('a pod that bears with everything is not told to', () => {
  const tolerations = [{ operator: 'Exists' }]

  expect(specAfter({ tolerations }).tolerations).toEqual(tolerations)
})

test.each([
  [{ spec: {}, status: {} }, undefined, 0],
  [{ spec: { nodeName: 'n', terminationGracePeriodSeconds: 30 }, status: {} }, undefined, 30],
  [{ spec: { nodeName: 'n', terminationGracePeriodSeconds: 30 }, status: {} }, 5, 5],
  [{ spec: { nodeName: 'n' }, status: {} }, -3, 1],
  [{ spec: { nodeName: 'n' }, status: { phase: 'Succeeded' } }, 5, 0],
])('%j, asked for %s seconds, gets %d', (object: Fields, asked, seconds) => {
  expect(podsWith().gracePeriodSeconds?.(object, asked)).toBe(seconds)
})

const asking = (limits: Fields, requests: Fields = {}): Fields => ({
  containers: [{ resources: { limits, requests } }],
})

test.each([
  [{ containers: [{}] }, 'BestEffort'],
  [asking({ cpu: '1', memory: '1Gi' }, { cpu: '1000m', memory: '1024Mi' }), 'Guaranteed'],
  [asking({ cpu: '1', memory: '1Gi' }, { cpu: '500m' }), 'Burstable'],
  [asking({ cpu: '1' }), 'Burstable'],
  [asking({ 'example.com/gpu': '1' }), 'BestEffort'],
  [{ ...asking({}), resources: { limits: { cpu: '1', memory: '1' } } }, 'Guaranteed'],
])('%j is %s', (spec: Fields, qosClass) => {
  expect(qosClassOf(spec)).toBe(qosClass)
})

test('selectors see texts, whatever the field is', () => {
  const { selectableFields } = podsWith()
  const object = { spec: { nodeName: 'n', hostNetwork: true } }

  expect(selectableFields?.['spec.nodeName']?.(object)).toBe('n')
  expect(selectableFields?.['spec.hostNetwork']?.(object)).toBe('true')
  expect(selectableFields?.['status.phase']?.(object)).toBe('')
})

const main = { name: 'main', image: 'a:1' }
const fieldsOf = (object: Fields, old: Fields, subresource?: string): string[] =>
  (
    podsWith().validate?.(object, old, { ...context, ...(subresource && { subresource }) }) ?? []
  ).map(({ field, message }) => `${field}: ${message}`)
const podOf = (spec: Fields, image = 'a:1'): Fields => ({
  spec: {
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    containers: [{ ...main, image, imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }],
    ...spec,
  },
})

test('an image that is gone is told of twice, and other changes are looked at, too', () => {
  expect(fieldsOf(podOf({}, ''), podOf({}))).toEqual([
    'spec.containers[0].image: Required value',
    'spec.containers[0].image: Required value',
  ])
})

test('a deadline that is later than before is all that is told', () => {
  const later = podOf({ activeDeadlineSeconds: 2, hostname: 'h' })

  expect(fieldsOf(later, podOf({ activeDeadlineSeconds: 1 }))).toEqual([
    'spec.activeDeadlineSeconds: Invalid value: 2: must be less than or equal to previous value',
  ])
})

test('tolerations that are added are looked at twice', () => {
  const wrong = podOf({ tolerations: [{ key: 'k', effect: 'Never' }] })

  expect(fieldsOf(wrong, podOf({}))).toHaveLength(2)
})

test('conditions of others have qualified names', () => {
  const withCondition = (type: string) => ({ ...podOf({}), status: { conditions: [{ type }] } })

  expect(fieldsOf(withCondition('Ready'), podOf({}), 'status')).toEqual([])
  expect(fieldsOf(withCondition(''), podOf({}), 'status')[0]).toBe(
    'status.conditions[0].Type: Invalid value: "": name part must be non-empty',
  )
})

test.each([
  [{ podIPs: [{ ip: '1.1.1.1' }] }, { podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }] }],
  [{ podIP: '1.1.1.1' }, { podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }] }],
  [
    { podIP: '1.1.1.1', podIPs: [{ ip: '2.2.2.2' }] },
    { podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }] },
  ],
])('a pod tells its first address in both ways: %j', (given, status) => {
  const object: Fields = { spec: {}, status: given }
  podsWith().setDefaults?.(object)

  expect(object.status).toEqual(status)
})
