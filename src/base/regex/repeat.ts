import type { PatternReader } from './pattern-reader.ts'
import type { RegexNode, Repeat } from './regex-node.ts'
import { RegexProblem } from './regex-problem.ts'

const MOST_REPEATS = 1000
const NUMBER = '0|[1-9]\\d*'
const COUNTS = new RegExp(`^\\{(${NUMBER})(,(${NUMBER})?)?\\}`)
/** What is longer is taken for text; no count that is allowed comes near it. */
const LONGEST_COUNTS = 64

/** Reads `*`, `{2,3}` and their like if they are next. Throws RegexProblem. */
export function repeatAt(reader: PatternReader): Repeat | undefined {
  if (reader.accept('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
  if (reader.accept('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
  if (reader.accept('?')) return { min: 0, max: 1 }
  return reader.next === '{' ? countsAt(reader) : undefined
}

function countsAt(reader: PatternReader): Repeat | undefined {
  const [whole, from, comma, to] =
    COUNTS.exec(reader.since(reader.at, reader.at + LONGEST_COUNTS)) ?? []
  if (whole === undefined) return undefined
  reader.at += whole.length
  const min = Number(from)
  const most = comma === undefined ? min : Number(to ?? min)
  if (Math.max(min, most) > MOST_REPEATS || min > most) {
    throw new RegexProblem('invalid repeat count', whole)
  }
  const isOpen = comma !== undefined && to === undefined
  return { min, max: isOpen ? Number.POSITIVE_INFINITY : most }
}

/** How often something in a node can be there by the counts around it. */
export function mostCopies(node: RegexNode): number {
  if (node.is === 'sequence' || node.is === 'choice') {
    return node.parts.reduce((most, part) => Math.max(most, mostCopies(part)), 1)
  }
  if (node.is !== 'repetition' || node.max === 0) return 1
  const own = Number.isFinite(node.max) ? node.max : Math.max(node.min, 1)
  return own * mostCopies(node.part)
}
