import { expect, test } from 'vitest'
import { logJson, logLevel, zapEncoder, zapLevel } from './settings-log.ts'
import {
  bindAddress,
  collector,
  duration,
  exactlyTrue,
  headers,
  integer,
  kindName,
  label,
  listOf,
  optional,
  text,
  yesOrNo,
} from './settings-types.ts'

const few = integer({ least: 1, most: 3 })
const seconds = duration({ least: '1s', most: '1h', wholeSeconds: true })

test.each([
  ['1', 't', 'T', 'TRUE', 'true', 'True'],
  ['0', 'f', 'F', 'FALSE', 'false', 'False'],
])('a switch is read as Go reads it: %s, %s, %s', (...texts) => {
  const wanted = texts[0] === '1'

  expect(texts.map((given) => yesOrNo.parse(given))).toEqual(texts.map(() => wanted))
})

test('a switch of the published operator is on with exactly true, and everything else is noted', () => {
  const texts = ['true', 'false', 'True', '1']

  expect(texts.map((given) => exactlyTrue.parse(given))).toEqual([true, false, false, false])
  expect(texts.map((given) => exactlyTrue.remark?.(given) !== undefined)).toEqual([
    false,
    false,
    true,
    true,
  ])
})

test('bounds belong to what is allowed', () => {
  const short = duration({ least: '1s', most: '2s' })

  expect(['1', '3'].map((given) => few.parse(given))).toEqual([1, 3])
  expect(['1s', '2000ms'].map((given) => short.parse(given))).toEqual([{ ms: 1000 }, { ms: 2000 }])
})

test.each([
  ['yes', 'it is neither true nor false', yesOrNo],
  ['', 'it is neither true nor false', yesOrNo],
  ['', 'it is empty', text('name', 'a name')],
  ['two', 'it is no whole number', few],
  ['1.5', 'it is no whole number', few],
  ['1e3', 'it is no whole number', few],
  ['-1', 'it is too small', few],
  ['4', 'it is too large', few],
  ['0', 'it is too short', seconds],
  ['2h', 'it is too long', seconds],
  ['1500ms', 'it is not in whole seconds', seconds],
  ['soon', 'it is no duration', seconds],
  ['8080', 'it is no address to listen on', bindAddress],
  ['', 'it is no address to listen on', bindAddress],
  ['Prod', 'it is no such name', label],
  ['-a', 'it is no such name', label],
  ['a'.repeat(64), 'it is too long', label],
  ['a,b c', 'it is no such name', listOf(label)],
  ['VirtualMachine', 'it does not name a kind', kindName],
  ['kubevirt.io/v1', 'it does not name a kind', kindName],
  ['kubevirt.io/v1/virtualmachines', 'it does not name a kind', kindName],
  ['a/b/v1/Kind', 'it does not name a kind', kindName],
  ['localhost', 'its port is missing', collector],
  ['grpc://localhost:4317', 'it is no such endpoint', collector],
  ['http://', 'it is no such endpoint', collector],
  ['http://localhost:4318?x=1', 'a query or a fragment is no part of it', collector],
  ['', 'it is no such endpoint', collector],
  ['token', 'a header has no `=`', headers],
  ['=x', 'a header has no `=`', headers],
  ['a=%zz', 'a value is not percent-encoded', headers],
  ['loud', 'it is none of the words that are known', logLevel],
  ['2', 'it is none of the words that are known', logLevel],
  ['0', 'it is none of the words that are known', zapLevel],
  ['xml', 'it is none of the words that are known', zapEncoder],
  ['text', 'it is neither true nor false', logJson],
])('"%s" is refused: %s', (given, reason, type) => {
  expect(() => type.parse(given)).toThrow(reason)
})

test.each([
  ['localhost:4318', 'http://localhost:4318'],
  ['[::1]:4318', 'http://[::1]:4318'],
  ['http://tempo:4318/', 'http://tempo:4318'],
  ['https://traces.example.com/otlp/', 'https://traces.example.com/otlp'],
])('the collector %s is read as %s', (given, url) => {
  expect(collector.parse(given)).toBe(url)
})

test('kinds are named with their group, or without one for the core', () => {
  const kinds = 'infra.example.com/v1beta1/Server, v1/Pod,v1/Pod'

  expect(listOf(kindName).parse(kinds)).toEqual([
    { group: 'infra.example.com', version: 'v1beta1', kind: 'Server' },
    { group: '', version: 'v1', kind: 'Pod' },
  ])
})

test('headers are decoded, and hidden until they are opened', () => {
  const parsed = headers.parse('authorization=Bearer%20abc%3D, x-tenant = a=b,')

  expect(parsed.open()).toEqual({ authorization: 'Bearer abc=', 'x-tenant': 'a=b' })
  expect(headers.show(parsed)).toBe('***')
})

test('an optional value that is empty is not set', () => {
  const type = optional(label)

  expect([type.parse(''), type.parse('a')]).toEqual([undefined, 'a'])
  expect([type.show(undefined), type.show('a')]).toEqual(['', 'a'])
})

test.each([
  ['debug', 'debug'],
  ['INFO', 'info'],
  ['warning', 'warn'],
  ['panic', 'error'],
])('the log level %s is %s', (given, level) => {
  expect(logLevel.parse(given)).toBe(level)
  expect(zapLevel.parse(given)).toBe(level)
})

test('zap’s own words are understood: numbers, its encoders, and whether it is JSON', () => {
  expect(['1', '5'].map((given) => zapLevel.parse(given))).toEqual(['debug', 'debug'])
  expect(['json', 'console'].map((given) => zapEncoder.parse(given))).toEqual(['json', 'text'])
  expect(['true', 'false'].map((given) => logJson.parse(given))).toEqual(['json', 'text'])
})

test('an address that is off is shown as it is written', () => {
  expect(bindAddress.show(bindAddress.parse('0'))).toBe('0')
})
