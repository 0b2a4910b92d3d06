import { expect, test } from 'vitest'
import { fingerprint } from './fingerprint.ts'

test('the order of keys and what is undefined make no difference', () => {
  const one = fingerprint({ a: 1, b: { c: [1, 2], d: undefined } })

  expect(fingerprint({ b: { c: [1, 2] }, a: 1 })).toBe(one)
})

test.each([
  ['another value', { a: 2 }],
  ['another key', { b: 1 }],
  ['null in place of nothing', { a: 1, b: null }],
  ['text in place of a number', { a: '1' }],
  ['a list in place of its element', [{ a: 1 }]],
  ['nothing', undefined],
])('%s makes a difference', (_what, other) => {
  expect(fingerprint(other)).not.toBe(fingerprint({ a: 1 }))
})

test('the order of a list makes a difference', () => {
  expect(fingerprint([1, 2])).not.toBe(fingerprint([2, 1]))
})
