/** That a validation was given up because it would keep others waiting. */
export class WorkExceeded extends Error {}

let left = Number.POSITIVE_INFINITY

/**
 * Limits what `work` allows from here on. Validation never waits for anything, so there is one at a
 * time and what is left can be kept here.
 */
export function allowWork(units: number): void {
  left = units
}

/** Counts steps of some 50 ns each. Throws WorkExceeded when there have been too many. */
export function work(units: number): void {
  left -= units
  if (left < 0) throw new WorkExceeded()
}
