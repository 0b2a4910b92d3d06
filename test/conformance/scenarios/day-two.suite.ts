import { expect, test } from 'vitest'
import { SORTS } from '#test/scenarios/day-two-schedule.ts'
import type { Job } from './day-two.process.ts'
import { sideBySide } from './side-by-side.ts'

// A few are in `make test`. Whoever wants others says which.
const { DAYS_SORT, DAYS_FROM, DAYS } = process.env
const FROM = Number(DAYS_FROM ?? 4)
const USUAL = { made: 60, moving: 15, imported: 10, busy: 28 }
const PROGRAM = new URL('./day-two.process.ts', import.meta.url)
const LONGEST_MS = 3_600_000
// Each says all that is known of it.
const MOST_TOLD = 3

const days = SORTS.filter((sort) => sort === (DAYS_SORT ?? sort)).map((sort) => {
  const count = Number(DAYS ?? USUAL[sort])
  return { sort, to: FROM + count - 1, jobs: jobsOf(sort, count) }
})

function jobsOf(sort: Job['sort'], count: number): Job[] {
  return Array.from({ length: count }, (_, at) => ({ seed: FROM + at, sort }))
}

test.each(days)(
  `whatever is asked of a cluster that is $sort and goes wrong on the days ${FROM} to $to, all is as asked for in the end`,
  { timeout: LONGEST_MS },
  async ({ jobs }) => {
    const answers = await sideBySide(PROGRAM, jobs)

    const broken = jobs.filter((_, at) => answers[at] !== undefined && answers[at] !== null)
    const told = broken.slice(0, MOST_TOLD).map((job) => answers[jobs.indexOf(job)])
    expect(broken, told.join('\n\n')).toEqual([])
  },
)
