/** That a validation was given up because it would keep others waiting. */
export class WorkExceeded extends Error {}

let left = Number.POSITIVE_INFINITY

/**
 * Limits what `work` allows from here on. There is one validation at a time: one that pauses keeps what is left to it,
 * and allows itself as much when it goes on.
 */
export function allowWork(units: number): void {
  left = units
}

export const workLeft = (): number => left

/** Counts steps of some 50 ns each. Throws WorkExceeded when there have been too many. */
export function work(units: number): void {
  left -= units
  if (left < 0) throw new WorkExceeded()
}
