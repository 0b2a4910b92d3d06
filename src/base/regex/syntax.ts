import { characterClassAt, testOf } from './character-class.ts'
import { type CharacterTest, codeOf } from './character-test.ts'
import { escapedCharacterAt } from './escaped-character.ts'
import { type Flags, groupFlagsAt, NO_FLAGS, skipGroupName } from './group-opening.ts'
import { inAnyCase } from './letter-case.ts'
import { escapedSetAt } from './named-sets.ts'
import { PatternReader } from './pattern-reader.ts'
import type { Assertion, RegexNode, Repeat, Repetition } from './regex-node.ts'
import { RegexProblem } from './regex-problem.ts'
import { mostCopies, repeatAt } from './repeat.ts'

const DEEPEST = 1000
const MOST_COPIES = 1000

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'start'],
  ['z', 'end'],
  ['b', 'boundary'],
  ['B', 'noBoundary'],
])

/** Throws RegexProblem. */
export function parseRegex(pattern: string): RegexNode {
  return new RegexParser(pattern).whole()
}

class RegexParser {
  private readonly reader: PatternReader
  private depth = 0
  private flags: Flags = NO_FLAGS

  constructor(pattern: string) {
    this.reader = new PatternReader(pattern)
  }

  whole(): RegexNode {
    const node = this.choice()
    if (this.reader.next !== undefined) throw new RegexProblem('unexpected )', this.reader.whole)
    return node
  }

  private choice(): RegexNode {
    this.depth += 1
    if (this.depth > DEEPEST) {
      throw new RegexProblem('expression nests too deeply', this.reader.whole)
    }
    const parts = [this.sequence()]
    while (this.reader.accept('|')) parts.push(this.sequence())
    this.depth -= 1
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { is: 'choice', parts }
  }

  private sequence(): RegexNode {
    const { reader } = this
    const parts: RegexNode[] = []
    /** Where the operator stands that has just been read. */
    let operator: number | undefined
    while (reader.next !== undefined && reader.next !== '|' && reader.next !== ')') {
      const from = reader.at
      const repeat = repeatAt(reader)
      if (repeat !== undefined) parts.push(this.repeated(parts.pop(), repeat, { from, operator }))
      else if (reader.accept('\\Q')) this.addQuoted(parts)
      else this.addAtom(parts)
      operator = repeat && from
    }
    const [only] = parts
    if (only === undefined) return { is: 'empty' }
    return parts.length === 1 ? only : { is: 'sequence', parts }
  }

  private repeated(
    part: RegexNode | undefined,
    repeat: Repeat,
    { from, operator }: { from: number; operator: number | undefined },
  ): RegexNode {
    const { reader, flags } = this
    const greedy = reader.accept('?') === flags.swapsGreed
    if (operator !== undefined) {
      throw new RegexProblem('invalid nested repetition operator', reader.since(operator))
    }
    if (part === undefined) {
      throw new RegexProblem('missing argument to repetition operator', reader.since(from))
    }
    const node: Repetition = { is: 'repetition', part, ...repeat, greedy }
    const isCounted = repeat.min >= 2 || (repeat.max >= 2 && Number.isFinite(repeat.max))
    if (isCounted && mostCopies(node) > MOST_COPIES) {
      throw new RegexProblem('invalid repeat count', reader.since(from))
    }
    return node
  }

  private addQuoted(parts: RegexNode[]): void {
    while (this.reader.next !== undefined && !this.reader.accept('\\E')) {
      parts.push(this.literal(codeOf(this.reader.take())))
    }
  }

  private addAtom(parts: RegexNode[]): void {
    const node = this.atom()
    if (node !== undefined) parts.push(node)
  }

  /** Undefined for what only sets flags. */
  private atom(): RegexNode | undefined {
    const { reader, flags } = this
    if (reader.next === '\\') return this.escape()
    const character = reader.take()
    switch (character) {
      case '(':
        return this.group()
      case '[':
        return { is: 'characters', matches: characterClassAt(reader, flags.ignoresCase) }
      case '.':
        return { is: 'characters', matches: flags.dotIsAll ? () => true : (code) => code !== 10 }
      case '^':
        return { is: 'assertion', of: flags.hasLines ? 'lineStart' : 'start' }
      case '$':
        return { is: 'assertion', of: flags.hasLines ? 'lineEnd' : 'end' }
      default:
        return this.literal(codeOf(character))
    }
  }

  private literal(code: number): RegexNode {
    const matches: CharacterTest = (other) => other === code
    return { is: 'characters', matches: this.flags.ignoresCase ? inAnyCase(matches) : matches }
  }

  private escape(): RegexNode {
    const { reader } = this
    const of = ASSERTIONS.get(reader.ahead(1) ?? '')
    if (of !== undefined) {
      reader.at += 2
      return { is: 'assertion', of }
    }
    const set = escapedSetAt(reader)
    if (set === undefined) return this.literal(escapedCharacterAt(reader))
    return { is: 'characters', matches: testOf(set, this.flags.ignoresCase) }
  }

  private group(): RegexNode | undefined {
    const { reader } = this
    const before = this.flags
    if (reader.next === '?' && !skipGroupName(reader)) {
      const { flags, isGroup } = groupFlagsAt(reader, before)
      this.flags = flags
      if (!isGroup) return undefined
    }
    const node = this.choice()
    if (!reader.accept(')')) throw new RegexProblem('missing closing )', reader.whole)
    this.flags = before
    return node
  }
}
