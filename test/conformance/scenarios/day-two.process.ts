import { DAYS_SUBNET, problemsOfDay } from '#test/scenarios/day-two-life.ts'
import { dayTwoOf } from '#test/scenarios/day-two-schedule.ts'
import { doJobs } from './side-by-side.ts'

// By IPC, from the suite beside it: a seed in, what is wrong out.
doJobs((seed) => problemsOfDay(dayTwoOf(Number(seed)), DAYS_SUBNET).catch(String))
