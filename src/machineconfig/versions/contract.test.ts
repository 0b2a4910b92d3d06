import { expect, test } from 'vitest'
import { contractOf } from './contract.ts'

test('the contract is the minor version', () => {
  expect(contractOf('v1.5')).toBe(5)
  expect(contractOf('v1.14.0-alpha.2')).toBe(14)
})

test.each([
  ['tip', '"tip" is not a version of Talos: write it like "v1.13.0"'],
  ['v1.4.8', 'Talos 1.4.8 is not served: only v1.5 to v1.14 are'],
  ['v1.15.0', 'Talos 1.15.0 is not served: only v1.5 to v1.14 are'],
  ['v2.5.0', 'Talos 2.5.0 is not served: only v1.5 to v1.14 are'],
])('%s has no contract, and the error says why', (text, message) => {
  expect(() => contractOf(text)).toThrow(message)
})
