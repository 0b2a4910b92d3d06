import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { behavioursIn } from './behaviours.ts'
import { ClusterAddresses } from './cluster-addresses.ts'
import { eventConversion } from './event-conversion.ts'

const behaviourOf = behavioursIn({
  clusterObjects: () => [],
  namespacedObject: () => undefined,
  addresses: new ClusterAddresses(),
})
const events = behaviourOf('events.k8s.io', 'events')
const event: Fields = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'e' },
  regarding: { kind: 'Pod', name: 'p' },
  note: 'n',
  reason: 'R',
  reportingController: 'c',
}

test('an event comes back from how it is kept as it was', () => {
  const stored = eventConversion.toStored(event)

  expect(stored).toMatchObject({ apiVersion: 'v1', involvedObject: { name: 'p' }, message: 'n' })
  expect(eventConversion.fromStored(stored)).toEqual(event)
})

test('events are selected and shown alike, however they are written', () => {
  for (const one of [event, eventConversion.toStored(event)]) {
    expect(events.selectableFields?.['regarding.name']?.(one)).toBe('p')
    expect(events.printer?.cells(one, new Date())).toContain('pod/p')
  }
})

test('an event keeps its version when it is given defaults', () => {
  const object = structuredClone(event)
  events.setDefaults?.(object)

  expect(object).toMatchObject({ apiVersion: 'events.k8s.io/v1', regarding: { name: 'p' } })
  expect(object).not.toHaveProperty('involvedObject')
  expect(object.deprecatedFirstTimestamp).toBeNull()
})

test('an autoscaler of the first version has a target for the processor by default', () => {
  const object: Fields = { apiVersion: 'autoscaling/v1', metadata: { name: 'a' }, spec: {} }
  behaviourOf('autoscaling', 'horizontalpodautoscalers').setDefaults?.(object)

  expect(object.apiVersion).toBe('autoscaling/v1')
  expect(object.spec).toMatchObject({ minReplicas: 1, targetCPUUtilizationPercentage: 80 })
})
