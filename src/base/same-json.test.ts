import { expect, test } from 'vitest'
import { sameJson } from './same-json.ts'

test.each([
  [1, 1],
  ['a', 'a'],
  [null, null],
  [undefined, undefined],
  [[], []],
  [{}, { a: undefined }],
  [
    { a: 1, b: [{ c: 2, d: 3 }] },
    { b: [{ d: 3, c: 2 }], a: 1 },
  ],
])('%j and %j mean the same', (one, other) => {
  expect(sameJson(one, other)).toBe(true)
  expect(sameJson(other, one)).toBe(true)
})

test.each([
  [1, '1'],
  [null, undefined],
  [{}, []],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 2]],
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: null }],
  [{ a: undefined, b: 1 }, { a: 1 }],
  [{}, { toString: undefined, hasOwnProperty: 1 }],
])('%j and %j do not', (one, other) => {
  expect(sameJson(one, other)).toBe(false)
  expect(sameJson(other, one)).toBe(false)
})
