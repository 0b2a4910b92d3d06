import type { Spend } from '#base/regex/spend.ts'

/** That the patterns of an object were given up because they would keep others waiting. */
export class MatchingExceeded extends Error {
  override readonly name = 'MatchingExceeded'
}

/** Some 0.1 s: enough for any object with patterns that were written in good faith. */
const MOST_WORK = 2_000_000

/** What the patterns of one object may take. Throws MatchingExceeded when it is used up. */
export function matchAllowance(): Spend {
  let left = MOST_WORK
  return (units) => {
    left -= units
    if (left < 0) throw new MatchingExceeded()
  }
}
