import { DAYS_SUBNET, problemsOfDay } from '#test/scenarios/day-two-life.ts'
import { dayTwoOf, type Sort } from '#test/scenarios/day-two-schedule.ts'
import { doJobs } from './side-by-side.ts'

/** A day that somebody lives. */
export interface Job {
  readonly seed: number
  readonly sort: Sort
}

// By IPC, from the suite beside it: a day in, what is wrong out.
doJobs((job) => {
  const { seed, sort }: Job = Object(job)
  return problemsOfDay(dayTwoOf(seed, sort), DAYS_SUBNET).catch(String)
})
