import { InvalidArgumentError } from 'commander'

/** How many machines one process is asked for. */
export const MOST_MACHINES = 5000

/** A whole number on a command line. */
export function wholeNumber(text: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`)
}

/** How much faster than real machines: a number, or `max`. */
export function speedOf(text: string): number {
  if (text === 'max') return Infinity
  const value = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0) return value
  throw new InvalidArgumentError('It is a number above 0, or "max".')
}
