import { expect, test } from 'vitest'
import { percentile } from './percentile.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index)

test('so many of the values are at most as large', () => {
  expect(percentile(upTo(100), 0.99)).toBe(99)
  expect(percentile(upTo(200), 0.99)).toBe(198)
  expect(percentile(upTo(100), 0.5)).toBe(50)
})

test('of few values it is the largest', () => {
  expect(percentile([3, 20, 100], 0.99)).toBe(100)
})
