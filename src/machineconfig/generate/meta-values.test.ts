import { expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import { encodeMetaValues, META_METAL_NETWORK } from './meta-values.ts'

const decoded = (text: string): string => Buffer.from(text, 'base64').toString()

test('values are pairs of a hexadecimal key and a value, in base64', () => {
  const text = encodeMetaValues([
    { key: META_METAL_NETWORK, value: 'addresses: []\n' },
    { key: 0x10, value: 'a=b' },
  ])

  expect(decoded(text)).toBe('0xa=addresses: []\n;0x10=a=b')
})

test('no values are no text', () => {
  expect(encodeMetaValues([])).toBe('')
})

test.each([6, 7, 8, 9, 0x0b, 0x11, -1, 256, 10.5])('key %d is Talos’ own', (key) => {
  expect(() => encodeMetaValues([{ key, value: '' }])).toThrow(
    new ConfigError(`META key ${key} is not for users to write`),
  )
})

test('a value cannot hold what separates values', () => {
  expect(() => encodeMetaValues([{ key: 12, value: 'a;b' }])).toThrow(
    new ConfigError('the value of META key 12 holds a semicolon, which separates values'),
  )
})
