import type { Instruction } from './program.ts'
import type { Assertion } from './regex-node.ts'
import type { Spend } from './spend.ts'

/** Where in a text a match is. */
export interface Match {
  start: number
  end: number
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

/** Looks for matches by following all ways through a program at once, one step per character. */
export class Search {
  private readonly program: readonly Instruction[]
  private readonly seen: Uint32Array
  private generation = 0
  /** How many places were looked at since it was last told. */
  private visited = 0

  constructor(program: readonly Instruction[]) {
    this.program = program
    this.seen = new Uint32Array(program.length)
  }

  /** The leftmost match from a place on; of several there the one that Perl would find. */
  find(text: string, from: number, spend: Spend): Match | undefined {
    return this.run(text, { from, isTest: false }, spend)
  }

  test(text: string, spend: Spend): boolean {
    return this.run(text, { from: 0, isTest: true }, spend) !== undefined
  }

  private run(
    text: string,
    { from, isTest }: { from: number; isTest: boolean },
    spend: Spend,
  ): Match | undefined {
    let threads: Threads = { places: [], starts: [] }
    let found: Match | undefined
    this.nextGeneration()
    for (let index = from; index <= text.length; ) {
      spend(2 + 2 * this.visited)
      this.visited = 0
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
      this.visited += 1
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
