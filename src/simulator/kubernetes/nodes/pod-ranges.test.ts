import { expect, test } from 'vitest'
import { addressAt, freePodAddress, freePodRange } from './pod-ranges.ts'

test('each node gets the first range that no other has', () => {
  expect(freePodRange('10.244.0.0/16', new Set())).toBe('10.244.0.0/24')
  expect(freePodRange('10.244.0.0/16', new Set(['10.244.0.0/24']))).toBe('10.244.1.0/24')
})

test('a subnet that is used up, or not of IPv4, has none', () => {
  expect(freePodRange('10.244.0.0/24', new Set(['10.244.0.0/24']))).toBeUndefined()
  expect(freePodRange('fd00::/56', new Set())).toBeUndefined()
  expect(freePodRange('', new Set())).toBeUndefined()
})

test('pods and services get addresses from their ranges', () => {
  expect(freePodAddress('10.244.3.0/24', new Set(['10.244.3.2']))).toBe('10.244.3.3')
  expect(addressAt('10.96.0.0/12', 10)).toBe('10.96.0.10')
  expect(addressAt('fd00::/112', 10)).toBeUndefined()
})
