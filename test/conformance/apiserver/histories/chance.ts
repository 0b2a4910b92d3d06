/** Chance that is the same for one seed on every machine. */
export interface Chance {
  /** True as often as told: 0 is never, 1 is always. */
  is(probability: number): boolean
  /** A whole number from 0, below the limit. */
  below(limit: number): number
  of<Choice>(choices: readonly Choice[]): Choice
}

/** The same seed makes the same choices. */
export function chanceOf(seed: number): Chance {
  let state = seed | 0
  // Mulberry32: small, and good enough to choose steps.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    is: (probability) => next() < probability,
    below,
    of: (choices) => {
      const [choice] = choices.slice(below(choices.length))
      if (choice === undefined) throw new Error('nothing to choose from')
      return choice
    },
  }
}
