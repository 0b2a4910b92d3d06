import { expect, test } from 'vitest'
import { maxUnavailable } from './max-unavailable.ts'

test.each([
  [undefined, 10, 1],
  [3, 10, 3],
  ['2', 10, 2],
  ['25%', 10, 2],
  ['100%', 10, 10],
  ['5%', 10, 1],
  [0, 10, 1],
  ['0%', 10, 1],
  ['a few', 10, 1],
  [-1, 10, 1],
])('%j of %i machines is %i', (wanted, machines, count) => {
  expect(maxUnavailable(wanted, machines)).toBe(count)
})
