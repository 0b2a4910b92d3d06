import { expect, test } from 'vitest'
import { addressProblem, canonicalAddress } from './pool-address.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['2001:db8::0001', '2001:db8::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:0201', '192.0.2.1'],
  ['fe80::', 'fe80::'],
])('%s is written as %s', (text, canonical) => {
  expect(canonicalAddress(text)).toBe(canonical)
})

test.each([
  '',
  'one',
  '192.0.2',
  '192.0.2.256',
  '192.0.2.01',
  'fe80::1%eth0',
  '1::2::3',
  '1'.repeat(100),
])('%j is no address', (text) => {
  expect(canonicalAddress(text)).toBeUndefined()
  expect(addressProblem(text)).toBe('is no IP address')
})

test.each(['0.0.0.0', '::', '0:0::0', '::ffff:0.0.0.0'])('%s is nobody in particular', (text) => {
  expect(addressProblem(text)).toMatch('no machine in particular')
})

test.each(['224.0.0.1', '255.255.255.255', 'ff02::1'])(
  '%s is no address of one machine',
  (text) => {
    expect(addressProblem(text)).toMatch('multicast')
  },
)

test.each(['192.0.2.1', '127.0.0.5', '2001:db8::1', '223.255.255.1'])(
  '%s can be spoken to',
  (text) => {
    expect(addressProblem(text)).toBeUndefined()
  },
)
