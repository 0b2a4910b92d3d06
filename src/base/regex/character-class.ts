import {
  amongRanges,
  type CharacterRange,
  type CharacterTest,
  codeOf,
  type NamedSet,
  opposite,
} from './character-test.ts'
import { escapedCharacterAt } from './escaped-character.ts'
import { inAnyCase } from './letter-case.ts'
import { escapedSetAt, posixSetAt } from './named-sets.ts'
import type { PatternReader } from './pattern-reader.ts'
import { RegexProblem } from './regex-problem.ts'

/** Reads a class behind its `[`. Throws RegexProblem. */
export function characterClassAt(reader: PatternReader, ignoresCase: boolean): CharacterTest {
  const from = reader.at - 1
  const isOpposite = reader.accept('^')
  const ranges: CharacterRange[] = []
  // By name: a class takes no more time for what it names twice.
  const sets = new Map<string, CharacterTest>()
  for (let isFirst = true; isFirst || reader.next !== ']'; isFirst = false) {
    const set = posixSetAt(reader) ?? escapedSetAt(reader)
    if (set === undefined) ranges.push(rangeAt(reader, from))
    else sets.set(set.name, testOf(set, ignoresCase))
  }
  reader.at += 1
  const plain = amongRanges(ranges)
  const tests = [ignoresCase ? inAnyCase(plain) : plain, ...sets.values()]
  const [only] = tests
  const any: CharacterTest =
    tests.length === 1 && only !== undefined ? only : (code) => tests.some((test) => test(code))
  return isOpposite ? opposite(any) : any
}

/** What is in a set, where case may not matter: then what it is the opposite of is widened. */
export function testOf({ has, isOpposite }: NamedSet, ignoresCase: boolean): CharacterTest {
  const test = ignoresCase ? inAnyCase(has) : has
  return isOpposite ? opposite(test) : test
}

function rangeAt(reader: PatternReader, classFrom: number): CharacterRange {
  const from = reader.at
  const low = memberAt(reader, classFrom)
  const isRange = reader.next === '-' && (reader.ahead(1) ?? ']') !== ']'
  if (!isRange) return [low, low]
  reader.at += 1
  const high = memberAt(reader, classFrom)
  if (high < low) throw new RegexProblem('invalid character class range', reader.since(from))
  return [low, high]
}

function memberAt(reader: PatternReader, classFrom: number): number {
  if (reader.next === undefined) {
    throw new RegexProblem('missing closing ]', reader.since(classFrom))
  }
  return reader.next === '\\' ? escapedCharacterAt(reader) : codeOf(reader.take())
}
