import { expect, test } from 'vitest'
import { addressText, isSameAddress, parseBindAddress } from './address.ts'

test.each([
  [':8080', { port: 8080 }],
  [':0', { port: 0 }],
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['[::1]:8081', { host: '::1', port: 8081 }],
  ['[fe80::1%eth0]:65535', { host: 'fe80::1%eth0', port: 65_535 }],
  ['localhost:8080', { host: 'localhost', port: 8080 }],
  ['probes.example.com:1', { host: 'probes.example.com', port: 1 }],
  ['0', 'off'],
])('%s is understood', (text, address) => {
  expect(parseBindAddress(text)).toEqual(address)
})

test.each([
  '',
  '8080',
  ':',
  ':65536',
  ':-1',
  ':08080x',
  '::1:8081',
  '[127.0.0.1]:80',
  '[::1]',
  '256.0.0.1:80',
  'http://localhost:80',
  'local host:80',
  '-x:80',
  ' :80',
])('"%s" is refused with a sentence that quotes it and shows right ones', (text) => {
  expect(() => parseBindAddress(text)).toThrow(
    `"${text}" is no address to listen on: write ":8080"`,
  )
})

test.each([':8080', '127.0.0.1:0', '[::1]:8081'])('%s is written as it was read', (text) => {
  const address = parseBindAddress(text)

  expect(address === 'off' ? address : addressText(address)).toBe(text)
})

test('addresses are the same when one server can listen for both', () => {
  const everywhere = [{ port: 80 }, { port: 80, host: '0.0.0.0' }, { port: 80, host: '::' }]

  expect(everywhere.every((one) => isSameAddress(one, { port: 80 }))).toBe(true)
  expect(isSameAddress({ port: 80, host: 'LocalHost' }, { port: 80, host: 'localhost' })).toBe(true)
  expect(isSameAddress({ port: 80 }, { port: 81 })).toBe(false)
  expect(isSameAddress({ port: 80 }, { port: 80, host: '127.0.0.1' })).toBe(false)
  expect(isSameAddress({ port: 0 }, { port: 0 })).toBe(false)
})
