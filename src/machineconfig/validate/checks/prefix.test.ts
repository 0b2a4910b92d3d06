import { expect, test } from 'vitest'
import { type AddressRange, addressRange, hasOverlap, isMasked, isOverlapping } from './prefix.ts'

function range(prefix: string): AddressRange {
  const found = addressRange(prefix)
  if (!found) throw new Error(`${prefix} is no prefix`)
  return found
}

test('a prefix stands for all addresses under its mask', () => {
  expect(addressRange('10.1.2.3/24')).toEqual({
    bits: 32,
    first: 0x0a_01_02_00n,
    last: 0x0a_01_02_ffn,
    written: 0x0a_01_02_03n,
  })
  expect(addressRange('::/127')).toMatchObject({ bits: 128, first: 0n, last: 1n })
})

test.each(['', '10.0.0.0', '10.0.0.0/', '10.0.0.0/33', '::/129', 'a/8', '/8'])(
  '%j stands for nothing',
  (text) => {
    expect(addressRange(text)).toBeUndefined()
  },
)

test.each([
  ['10.0.0.0/8', true],
  ['10.0.0.1/8', false],
  ['10.0.0.1/32', true],
  ['0.0.0.0/0', true],
  ['2001:db8::/32', true],
  ['2001:db8::1/64', false],
])('whether %s is masked: %s', (prefix, expected) => {
  expect(isMasked(range(prefix))).toBe(expected)
})

test.each([
  ['10.0.0.0/8', '10.1.0.0/16', true],
  ['10.1.0.0/16', '10.0.0.0/8', true],
  ['10.0.0.0/9', '10.128.0.0/9', false],
  ['0.0.0.0/0', '::/0', false],
  ['2001:db8::/32', '2001:db8:1::/48', true],
])('whether %s and %s overlap: %s', (one, other, expected) => {
  expect(isOverlapping(range(one), range(other))).toBe(expected)
})

test.each([
  [['10.0.0.0/24', '10.0.1.0/24', '::/64'], false],
  [['10.0.1.0/24', '::/64', '10.0.0.0/16'], true],
  [['10.0.0.0/8', '10.1.0.0/16', '10.2.0.0/16'], true],
  [['10.0.0.0/24', '10.0.0.0/24'], true],
  [[], false],
])('whether any of %j overlap: %s', (prefixes, expected) => {
  expect(hasOverlap(prefixes.map(range))).toBe(expected)
})
