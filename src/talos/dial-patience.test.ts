import { expect, test } from 'vitest'
import { DialPatience } from './dial-patience.ts'

const USUAL_MS = 3_500

function after(...tookMs: number[]): number {
  const patience = new DialPatience(USUAL_MS)
  for (const ms of tookMs) patience.took(ms)
  return patience.deadlineMs
}

const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms)

test('where nothing or what is quick comes about, a dial has its usual time', () => {
  expect(after()).toBe(USUAL_MS)
  expect(after(...times(1_000, 30))).toBe(USUAL_MS)
})

test('one slow machine among quick ones gives nobody more time', () => {
  expect(after(...times(20, 30), 3_400, ...times(3, 30))).toBe(USUAL_MS)
})

test('where most take long there is four times as much, until they are quick again', () => {
  expect(after(...times(10, 2_000))).toBe(4 * USUAL_MS)
  expect(after(...times(10, 2_000), ...times(60, 30))).toBe(USUAL_MS)
})
