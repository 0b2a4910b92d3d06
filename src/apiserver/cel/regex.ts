import { automatonOf } from './regex-automaton.ts'
import { compileRegex, type Instruction } from './regex-program.ts'
import { type Assertion, RegexSyntaxError } from './regex-syntax.ts'
import { work } from './work.ts'

interface Match {
  start: number
  end: number
}

const MOST_KEPT = 1000
const kept = new Map<string, Regex>()

/** The regular expression of a pattern in the syntax of RE2; a text says why it is none. */
export function regexOf(pattern: string): Regex | string {
  let regex = kept.get(pattern)
  if (regex !== undefined) return regex
  try {
    regex = new Regex(compileRegex(pattern))
  } catch (error) {
    if (error instanceof RegexSyntaxError) return `${error.message}: \`${pattern}\``
    throw error
  }
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(pattern, regex)
  return regex
}

/**
 * Looks for matches by following all ways through the expression at once, so that the time it takes
 * grows with the length of the text and never faster.
 */
export class Regex {
  private readonly program: readonly Instruction[]
  private readonly seen: Uint32Array
  private generation = 0
  private readonly automaton

  constructor(program: readonly Instruction[]) {
    this.program = program
    this.seen = new Uint32Array(program.length)
    this.automaton = automatonOf(program)
  }

  test(text: string): boolean {
    work(text.length >> 2)
    return this.automaton?.test(text) ?? this.search(text, 0, true) !== undefined
  }

  /** The leftmost match from a place on; of several there the one that Perl would find. */
  find(text: string, from = 0): Match | undefined {
    return this.search(text, from, false)
  }

  private search(text: string, from: number, isTest: boolean): Match | undefined {
    let threads: Threads = { places: [], starts: [] }
    let found: Match | undefined
    this.nextGeneration()
    for (let index = from; index <= text.length; ) {
      work(2 + 3 * threads.places.length)
      if (found === undefined) this.follow(threads, text, { place: 0, start: index, index })
      const code = text.codePointAt(index)
      const next = index + (code !== undefined && code > 0xffff ? 2 : 1)
      const step = this.step(threads, text, { code, next, index })
      found = step.match ?? found
      threads = step.threads
      const isDone = found !== undefined && (isTest || threads.places.length === 0)
      if (isDone) return found
      index = next
    }
    return found
  }

  private nextGeneration(): void {
    this.generation += 1
    if (this.generation === 0xffff_ffff) {
      this.seen.fill(0)
      this.generation = 1
    }
  }

  private step(
    current: Threads,
    text: string,
    at: { code: number | undefined; next: number; index: number },
  ): { threads: Threads; match?: Match } {
    const threads: Threads = { places: [], starts: [] }
    this.nextGeneration()
    for (let i = 0; i < current.places.length; i += 1) {
      const place = current.places[i] ?? 0
      const start = current.starts[i] ?? 0
      const instruction = this.program[place]
      if (instruction?.op === 'match') return { threads, match: { start, end: at.index } }
      if (
        at.code !== undefined &&
        instruction?.op === 'characters' &&
        instruction.matches(at.code)
      ) {
        this.follow(threads, text, { place: place + 1, start, index: at.next })
      }
    }
    return { threads }
  }

  /** Adds the places that can be reached without reading on. */
  private follow(threads: Threads, text: string, from: Reached): void {
    const pending = [from.place]
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (this.seen[place] === this.generation) continue
      this.seen[place] = this.generation
      const onward = this.onward(place, text, from.index)
      if (onward === undefined) {
        threads.places.push(place)
        threads.starts.push(from.start)
      } else pending.push(...onward)
    }
  }

  /** Where a step leads that reads nothing, what counts most last; undefined for one that reads. */
  private onward(place: number, text: string, index: number): readonly number[] | undefined {
    const instruction = this.program[place]
    switch (instruction?.op) {
      case 'jump':
        return [instruction.to]
      case 'split':
        return [instruction.second, instruction.first]
      case 'assertion':
        return holds(instruction.of, text, index) ? [place + 1] : []
      default:
        return undefined
    }
  }
}

interface Threads {
  places: number[]
  starts: number[]
}

interface Reached {
  place: number
  start: number
  index: number
}

function holds(assertion: Assertion, text: string, index: number): boolean {
  switch (assertion) {
    case 'start':
      return index === 0
    case 'end':
      return index === text.length
    case 'lineStart':
      return index === 0 || text[index - 1] === '\n'
    case 'lineEnd':
      return index === text.length || text[index] === '\n'
    case 'boundary':
      return isWord(text, index - 1) !== isWord(text, index)
    case 'noBoundary':
      return isWord(text, index - 1) === isWord(text, index)
  }
}

const isWord = (text: string, index: number): boolean => /^\w$/.test(text[index] ?? '')
