import { expect, test } from 'vitest'
import { eventConversion } from './event-conversion.ts'

test('an event of the old sort names nobody in two empty fields, one of the new sort does not', () => {
  const stored = { apiVersion: 'v1', reportingComponent: '', reportingInstance: '', reason: 'r' }

  expect(eventConversion.fromStored(stored)).toEqual({
    apiVersion: 'events.k8s.io/v1',
    reason: 'r',
  })
  expect(eventConversion.toStored(eventConversion.fromStored(stored))).toEqual(stored)
})

test('whoever reports an event is named in both', () => {
  const served = { apiVersion: 'events.k8s.io/v1', reportingController: 'c', note: 'n' }
  const stored = eventConversion.toStored(served)

  expect(stored).toMatchObject({ apiVersion: 'v1', reportingComponent: 'c', message: 'n' })
  expect(eventConversion.fromStored(stored)).toEqual(served)
})
