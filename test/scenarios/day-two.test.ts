import { expect, test } from 'vitest'
import { DAYS_SUBNET, problemsOfDay } from './day-two-life.ts'
import { dayTwoOf, EDITS } from './day-two-schedule.ts'

// More are in `make conformance`, and whoever wants others says which: DAYS_FROM, DAYS.
// Besides, those that found something out.
const SEEDS = [1, 2, 3, 48, 69]
const LONG = 120_000

test.each(SEEDS)(
  'whatever is asked and goes wrong on day %i, the cluster becomes what is asked for, and then nothing is written',
  { timeout: LONG },
  async (seed) => {
    expect(await problemsOfDay(dayTwoOf(seed), DAYS_SUBNET)).toBeUndefined()
  },
)

test('the days have every edit in them, and small and large control planes', () => {
  const days = Array.from({ length: 200 }, (_, at) => dayTwoOf(at + 1))

  expect(new Set(days.flatMap(({ edits }) => edits.map(({ is }) => is))).size).toBe(EDITS.length)
  expect([...new Set(days.map(({ controlPlanes }) => controlPlanes))].sort()).toEqual([1, 3])
  expect(dayTwoOf(7)).toEqual(days[6])
})
