import { problemsOf, SUBNET } from '#test/scenarios/soak-life.ts'
import { scheduleOf } from '#test/scenarios/soak-schedule.ts'
import { doJobs } from './side-by-side.ts'

// By IPC, from the suite beside it: a seed in, what is wrong out.
doJobs((seed) => problemsOf(scheduleOf(Number(seed)), SUBNET).catch(String))
