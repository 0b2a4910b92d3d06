import { automatonOf } from './automaton.ts'
import { programOf, sizeOf } from './program.ts'
import type { RegexNode } from './regex-node.ts'
import { RegexProblem } from './regex-problem.ts'
import { type Match, Search } from './search.ts'
import type { Spend } from './spend.ts'
import { parseRegex } from './syntax.ts'

/** Of instructions. Go takes more, but nobody writes such an expression in good faith. */
const MOST_OF_ONE = 50_000
const MOST_KEPT = 500_000
const kept = new Map<string, Regex>()
let keptSize = 0

/**
 * The regular expression of a pattern in the syntax of Go (RE2); a text says why it is none, as Go
 * does. Cheap for a pattern that was asked for before.
 */
export function regexOf(pattern: string): Regex | string {
  const known = kept.get(pattern)
  if (known !== undefined) return known
  const regex = made(pattern)
  if (typeof regex === 'string') return regex
  keptSize += regex.size
  if (keptSize > MOST_KEPT) {
    kept.clear()
    keptSize = regex.size
  }
  kept.set(pattern, regex)
  return regex
}

function made(pattern: string): Regex | string {
  try {
    const node = parseRegex(pattern)
    const size = sizeOf(node) + pattern.length
    if (size > MOST_OF_ONE) throw new RegexProblem('expression too large', pattern)
    return new Regex(node, size)
  } catch (error) {
    if (error instanceof RegexProblem) return error.message
    throw error
  }
}

/**
 * Takes a time that grows with the length of the text and never faster, whatever the expression. What
 * it takes is told to who asks, who may end it.
 */
export class Regex {
  /** What it takes to keep it. */
  readonly size: number
  private readonly node: RegexNode
  private machines: ReturnType<typeof machinesOf> | undefined

  constructor(node: RegexNode, size: number) {
    this.node = node
    this.size = size
  }

  /** Whether a match is anywhere in a text. */
  test(text: string, spend: Spend): boolean {
    spend(1 + (text.length >> 2))
    const { automaton, search } = this.ready(spend)
    return automaton === undefined ? search.test(text, spend) : automaton.test(text, spend)
  }

  /** The leftmost match from a place on; of several there the one that Perl would find. */
  find(text: string, from: number, spend: Spend): Match | undefined {
    return this.ready(spend).search.find(text, from, spend)
  }

  /** Made when first wanted: a definition can have thousands of patterns. */
  private ready(spend: Spend): ReturnType<typeof machinesOf> {
    if (this.machines === undefined) {
      spend(4 * this.size)
      this.machines = machinesOf(this.node)
    }
    return this.machines
  }
}

function machinesOf(node: RegexNode) {
  const program = programOf(node)
  return { automaton: automatonOf(program), search: new Search(program) }
}
