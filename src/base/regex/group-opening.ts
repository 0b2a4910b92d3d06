import type { PatternReader } from './pattern-reader.ts'
import { RegexProblem } from './regex-problem.ts'

/** What `(?imsU)` sets. */
export interface Flags {
  readonly ignoresCase: boolean
  readonly hasLines: boolean
  readonly dotIsAll: boolean
  readonly swapsGreed: boolean
}

export const NO_FLAGS: Flags = {
  ignoresCase: false,
  hasLines: false,
  dotIsAll: false,
  swapsGreed: false,
}

const LETTERS: ReadonlyMap<string, keyof Flags> = new Map([
  ['i', 'ignoresCase'],
  ['m', 'hasLines'],
  ['s', 'dotIsAll'],
  ['U', 'swapsGreed'],
])

/** Reads the `?P<name>` of a group behind its `(` if it has one. Throws RegexProblem. */
export function skipGroupName(reader: PatternReader): boolean {
  const from = reader.at - 1
  const size = ['?P<', '?<'].find((one) => reader.sees(one))?.length
  if (size === undefined || reader.ahead(size) === undefined) return false
  const end = reader.placeOf('>')
  const name = end === undefined ? '' : reader.since(reader.at + size, end)
  if (!/^\w+$/.test(name)) {
    const upTo = end === undefined ? from + reader.whole.length : end + 1
    throw new RegexProblem('invalid named capture', reader.since(from, upTo))
  }
  reader.at = (end ?? 0) + 1
  return true
}

/**
 * Reads the `?i-s:` of a group behind its `(`, or the `?i-s)` that is for the rest of the group
 * around. Throws RegexProblem.
 */
export function groupFlagsAt(
  reader: PatternReader,
  before: Flags,
): { flags: Flags; isGroup: boolean } {
  const from = reader.at - 1
  reader.at += 1
  let flags = before
  let value = true
  let isFlagMissing = false
  for (let sign = reader.take(); sign !== ''; sign = reader.take()) {
    const flag = LETTERS.get(sign)
    const isEnd = sign === ':' || sign === ')'
    if (isEnd && !isFlagMissing) return { flags, isGroup: sign === ':' }
    if (flag !== undefined) {
      flags = { ...flags, [flag]: value }
      isFlagMissing = false
    } else if (sign === '-' && value) {
      value = false
      isFlagMissing = true
    } else break
  }
  throw new RegexProblem('invalid or unsupported Perl syntax', reader.since(from))
}
