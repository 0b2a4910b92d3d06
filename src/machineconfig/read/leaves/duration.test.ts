import { expect, test } from 'vitest'
import { formatGoDuration, parseGoDuration } from './duration.ts'

test.each([
  ['0', '0s'],
  ['+0', '0s'],
  ['1ns', '1ns'],
  ['999ns', '999ns'],
  ['1000ns', '1µs'],
  ['999999ns', '999.999µs'],
  ['1000us', '1ms'],
  ['1µs', '1µs'],
  ['1μs', '1µs'],
  ['1500us', '1.5ms'],
  ['1s', '1s'],
  ['1.5s', '1.5s'],
  ['60s', '1m0s'],
  ['3600s', '1h0m0s'],
  ['1h1m1.001s', '1h1m1.001s'],
  ['-1m30s', '-1m30s'],
  ['.5m', '30s'],
  ['1.m', '1m0s'],
  ['-9223372036854775808ns', '-2562047h47m16.854775808s'],
])('%s is %s', (text, written) => {
  const nanoseconds = parseGoDuration(text)

  expect(nanoseconds === undefined ? undefined : formatGoDuration(nanoseconds)).toBe(written)
})

test.each([
  '',
  '+',
  '-',
  '5',
  '1d',
  's',
  '.s',
  '1h5',
  '1 h',
  '9223372036854775808ns',
  '-9223372036854775809ns',
  `${'1s'.repeat(101)}`,
])('%j is none', (text) => {
  expect(parseGoDuration(text)).toBe(undefined)
})

test('two hundred letters are enough for one', () => {
  expect(parseGoDuration('1s'.repeat(100))).toBe(100_000_000_000n)
})
