import { describe, expect, test } from 'vitest'
import { DAYS_SUBNET, problemsOfDay } from './day-two-life.ts'
import { dayTwoOf, EDITS, SORTS, type Sort } from './day-two-schedule.ts'
import { FAULTS, FAULTS_OF_CHANGES } from './soak-schedule.ts'

// More are in `make conformance`, and whoever wants others says which: DAYS_SORT, DAYS_FROM, DAYS.
// Besides, those that found something out.
const DAYS: Readonly<Record<Sort, readonly number[]>> = {
  made: [1, 2, 3, 48, 69],
  moving: [1, 2],
  imported: [1, 2],
  // A machine falls back twice, and another one is at an address.
  busy: [26],
}
const LONG = 120_000

describe.each(SORTS)('whatever is asked of a cluster that is %s', (sort) => {
  test.each(DAYS[sort])(
    'and goes wrong on day %i, it becomes what is asked for, and then nothing is written',
    { timeout: LONG },
    async (seed) => {
      expect(await problemsOfDay(dayTwoOf(seed, sort), DAYS_SUBNET)).toBeUndefined()
    },
  )
})

test.each(SORTS)('the days of %s have every edit in them', (sort) => {
  const days = Array.from({ length: 200 }, (_, at) => dayTwoOf(at + 1, sort))
  const found = days.flatMap(({ edits }) => edits.map(({ is }) => is))

  expect(new Set(found)).toEqual(new Set(EDITS[sort]))
  expect(dayTwoOf(7, sort)).toEqual(days[6])
})

test('more goes wrong with the machines of busy days, and with no others', () => {
  const faultsOf = (sort: Sort) =>
    Array.from({ length: 200 }, (_, at) => dayTwoOf(at + 1, sort))
      .flatMap(({ edits }) => edits.flatMap(({ faults }) => faults))
      .map(({ is }) => is)

  expect(new Set(faultsOf('busy'))).toEqual(new Set([...FAULTS, ...FAULTS_OF_CHANGES]))
  expect(new Set(faultsOf('made'))).toEqual(new Set(FAULTS))
})

test('some control planes are small, and some are large', () => {
  const days = Array.from({ length: 200 }, (_, at) => dayTwoOf(at + 1))

  expect([...new Set(days.map(({ controlPlanes }) => controlPlanes))].sort()).toEqual([1, 3])
})
