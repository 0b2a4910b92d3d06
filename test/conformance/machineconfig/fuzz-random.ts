export type Random = () => number

/** The same numbers from 0 to 1 for the same seed. */
export function randomNumbers(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const below = (random: Random, limit: number): number => Math.floor(random() * limit)

export const oneOf = <Item>(items: readonly Item[], random: Random): Item => {
  const item = items[below(random, items.length)]
  if (item === undefined) throw new Error('there is nothing to choose from')
  return item
}
