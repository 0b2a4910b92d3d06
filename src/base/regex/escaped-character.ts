import { codeOf } from './character-test.ts'
import type { PatternReader } from './pattern-reader.ts'
import { RegexProblem } from './regex-problem.ts'

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['t', 9],
  ['n', 10],
  ['r', 13],
  ['v', 11],
])
const LAST = 0x10ffff

/** Reads an escape that stands for one character, and returns its code. Throws RegexProblem. */
export function escapedCharacterAt(reader: PatternReader): number {
  const from = reader.at
  reader.at += 1
  const character = reader.take()
  if (character === '') throw new RegexProblem('trailing backslash at end of expression', '')
  const code = CONTROLS.get(character) ?? codeAt(character, reader)
  if (code === undefined) throw new RegexProblem('invalid escape sequence', reader.since(from))
  return code
}

function codeAt(character: string, reader: PatternReader): number | undefined {
  if (character === 'x') return reader.accept('{') ? longHexAt(reader) : hexAt(reader)
  if (/[0-7]/.test(character)) return octalAt(character, reader)
  return /[0-9A-Za-z\u0080-\u{10ffff}]/u.test(character) ? undefined : codeOf(character)
}

function hexAt(reader: PatternReader): number | undefined {
  const digits = reader.take() + reader.take()
  return /^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

function longHexAt(reader: PatternReader): number | undefined {
  let code: number | undefined
  for (;;) {
    const digit = reader.take()
    if (digit === '}') return code
    code = (code ?? 0) * 16 + Number.parseInt(digit, 16)
    if (!/^[\da-f]$/i.test(digit) || code > LAST) return undefined
  }
}

function octalAt(first: string, reader: PatternReader): number | undefined {
  const isOctal = (): boolean => /^[0-7]$/.test(reader.next ?? '')
  // One digit alone would mean a group of the expression, which Go has no way to match.
  if (first !== '0' && !isOctal()) return undefined
  let digits = first
  while (digits.length < 3 && isOctal()) digits += reader.take()
  return Number.parseInt(digits, 8)
}
