import { amongRanges, type CharacterTest, codeOf, type NamedSet } from './character-test.ts'
import type { PatternReader } from './pattern-reader.ts'
import { RegexProblem } from './regex-problem.ts'
import { unicodeSet } from './unicode-set.ts'

/** A set written as in a class: single characters and ranges. */
const setOf = (text: string): CharacterTest =>
  amongRanges(
    [...text.matchAll(/(.)-(.)|(.)/gsu)].map(
      ([, from, to, one]) => [codeOf(from ?? one), codeOf(to ?? one)] as const,
    ),
  )

const DIGIT = setOf('0-9')
const WORD = setOf('0-9A-Za-z_')

const PERL: ReadonlyMap<string, CharacterTest> = new Map([
  ['d', DIGIT],
  ['w', WORD],
  ['s', setOf('\t\n\f\r ')],
])

const POSIX: ReadonlyMap<string, CharacterTest> = new Map([
  ['alnum', setOf('0-9A-Za-z')],
  ['alpha', setOf('A-Za-z')],
  ['ascii', setOf('\0-\x7f')],
  ['blank', setOf('\t ')],
  ['cntrl', setOf('\0-\x1f\x7f')],
  ['digit', DIGIT],
  ['graph', setOf('!-~')],
  ['lower', setOf('a-z')],
  ['print', setOf(' -~')],
  ['punct', setOf('!-/:-@[-`{-~')],
  ['space', setOf('\t-\r ')],
  ['upper', setOf('A-Z')],
  ['word', WORD],
  ['xdigit', setOf('0-9A-Fa-f')],
])

/** Reads `\d`, `\pL` and their like if they are next. Throws RegexProblem. */
export function escapedSetAt(reader: PatternReader): NamedSet | undefined {
  if (reader.next !== '\\') return undefined
  const letter = reader.ahead(1) ?? ''
  if (letter === 'p' || letter === 'P') return unicodeSetAt(reader)
  const has = PERL.get(letter.toLowerCase())
  if (has === undefined) return undefined
  reader.at += 2
  return { name: `\\${letter}`, has, isOpposite: letter < 'a' }
}

function unicodeSetAt(reader: PatternReader): NamedSet {
  const from = reader.at
  const isUpper = reader.ahead(1) === 'P'
  reader.at += 2
  const end = reader.next === '{' ? reader.placeOf('}') : reader.at
  reader.at = end === undefined ? from + reader.whole.length : end + 1
  const whole = reader.since(from)
  const name = whole[2] === '{' ? whole.slice(3, -1) : whole.slice(2)
  const isOpposite = name.startsWith('^')
  const has = end === undefined ? undefined : unicodeSet(isOpposite ? name.slice(1) : name)
  if (has === undefined) throw new RegexProblem('invalid character class range', whole)
  return { name: whole, has, isOpposite: isUpper !== isOpposite }
}

/** Reads `[:alpha:]` and its like if it is next. Throws RegexProblem. */
export function posixSetAt(reader: PatternReader): NamedSet | undefined {
  if (!reader.sees('[:')) return undefined
  reader.at += 2
  const end = reader.placeOf(':]')
  reader.at -= 2
  if (end === undefined) return undefined
  const from = reader.at
  reader.at = end + 2
  const name = reader.since(from)
  const isOpposite = name[2] === '^'
  const has = POSIX.get(name.slice(isOpposite ? 3 : 2, -2))
  if (has === undefined) throw new RegexProblem('invalid character class range', name)
  return { name, has, isOpposite }
}
