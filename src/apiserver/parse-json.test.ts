import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

const nested = (depth: number, inner = '1'): string =>
  '{"a":['.repeat(depth / 2) + inner + ']}'.repeat(depth / 2)

test('what can be walked is parsed', () => {
  expect(parseJson('{"a":[1,{"b":null}]}')).toEqual({ a: [1, { b: null }] })
  expect(() => parseJson(nested(1000))).not.toThrow()
})

test('brackets in texts are no levels', () => {
  const brackets = JSON.stringify(`${'[{'.repeat(2000)}"\\`)

  expect(() => parseJson(`{"a":${brackets},"b":${brackets}}`)).not.toThrow()
})

test('lists side by side are not deep', () => {
  expect(() => parseJson(`[${'[],{},'.repeat(2000)}1]`)).not.toThrow()
})

test.each([
  ['[', nested(1000, '[]')],
  ['{', nested(1000, '{}')],
  ['[', '['.repeat(500_000)],
])('one %s too many is refused in the words of Go', (bracket, text) => {
  expect(() => parseJson(text)).toThrow(`invalid character '${bracket}' exceeded max depth`)
})
