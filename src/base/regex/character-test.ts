/** Whether a character, given by its code, is one of a set. */
export type CharacterTest = (code: number) => boolean

/** From one code to another, with both. */
export type CharacterRange = readonly [from: number, to: number]

/** A set that has a name in patterns, such as `\d`, and maybe what is asked for is the opposite. */
export interface NamedSet {
  name: string
  has: CharacterTest
  isOpposite: boolean
}

export const opposite =
  (test: CharacterTest): CharacterTest =>
  (code) =>
    !test(code)

/** Takes a time that grows with the logarithm of the number of ranges. */
export function amongRanges(ranges: readonly CharacterRange[]): CharacterTest {
  const sorted = merged(ranges)
  const [first] = sorted
  if (first === undefined) return () => false
  if (sorted.length === 1) return (code) => code >= first[0] && code <= first[1]
  return (code) => isAmong(sorted, code)
}

function merged(ranges: readonly CharacterRange[]): CharacterRange[] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0])
  const result: [number, number][] = []
  for (const [from, to] of sorted) {
    const last = result.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

function isAmong(sorted: readonly CharacterRange[], code: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.[1] ?? 0) < code) low = middle + 1
    else high = middle
  }
  return (sorted[low]?.[0] ?? Number.POSITIVE_INFINITY) <= code
}

export const codeOf = (character: string | undefined): number => character?.codePointAt(0) ?? 0
