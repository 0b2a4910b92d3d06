import type { Pace } from './pace.ts'

/** Work that can be interrupted wherever it yields. */
export type Steps<Result> = Generator<undefined, Result, undefined>

// To look at the clock costs more than most of what is done to one value.
const VISITS = 0x7f
let visits = 0

/** Told of each value that is visited, whether it is time to yield. */
export const isDue = (): boolean => (++visits & VISITS) === 0

/** Does work, with turns for others when it takes long. If it does not, the result is there at once. */
export function inTurns<Result>(pace: Pace, steps: Steps<Result>): Result | Promise<Result> {
  while (!pace.isSpent) {
    const step = steps.next()
    if (step.done) return step.value
  }
  return rest(pace, steps)
}

async function rest<Result>(pace: Pace, steps: Steps<Result>): Promise<Result> {
  for (;;) {
    if (pace.isSpent) await pace.later()
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Does work without a pause. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
