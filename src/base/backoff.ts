/** How long to wait before trying again: doubling from `firstMs` up to `mostMs`. */
export interface Backoff {
  firstMs: number
  mostMs: number
  /** The share of each delay that is left to chance, 0 to 1. */
  jitter?: number
}

/** The delay after a number of failures in a row, 1 for the first. `random` yields 0 to 1. */
export function delayMs(
  { firstMs, mostMs, jitter = 0 }: Backoff,
  failures: number,
  random: () => number = Math.random,
): number {
  const full = Math.min(firstMs * 2 ** (failures - 1), mostMs)
  return full * (1 - jitter * random())
}
