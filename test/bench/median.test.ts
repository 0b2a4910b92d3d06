import { expect, test } from 'vitest'
import { median } from './median.ts'

test('of an odd number of values it is the one in the middle, by size and not by text', () => {
  expect(median([100, 9, 20])).toBe(20)
})

test('of an even number of values it is halfway between the two in the middle', () => {
  expect(median([4, 1, 3, 100])).toBe(3.5)
})

test('of one value it is that one', () => {
  expect(median([7])).toBe(7)
})
