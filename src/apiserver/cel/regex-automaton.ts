import type { Instruction } from './regex-program.ts'
import { work } from './work.ts'

/** A set of places in the program at which a match can be, and what follows from each character. */
interface State {
  places: readonly number[]
  isMatch: boolean
  /** Whether it is one where the text ends. */
  isMatchAtEnd: boolean
  /** By character, for the first 128. */
  next: (State | undefined)[]
}

const MOST_STATES = 500
const ASCII = 128

/**
 * Tells whether a text has a match, one step per character: sets of places that have been seen are kept
 * with what follows from them. Undefined for expressions that look at what is around a place.
 */
export function automatonOf(program: readonly Instruction[]): Automaton | undefined {
  const isFit = program.every(
    (one) => one.op !== 'assertion' || one.of === 'start' || one.of === 'end',
  )
  return isFit ? new Automaton(program) : undefined
}

class Automaton {
  private readonly program: readonly Instruction[]
  private states = new Map<string, State>()

  constructor(program: readonly Instruction[]) {
    this.program = program
  }

  test(text: string): boolean {
    let state = this.state(this.reached([0], true))
    for (let index = 0; index < text.length; ) {
      if (state.isMatch) return true
      const code = text.codePointAt(index) ?? 0
      const known = code < ASCII ? state.next[code] : undefined
      state = known ?? this.follow(state, code)
      if (state.places.length === 0) return false
      index += code > 0xffff ? 2 : 1
    }
    return state.isMatch || state.isMatchAtEnd
  }

  private follow(state: State, code: number): State {
    work(state.places.length + 1)
    const after: number[] = []
    for (const place of state.places) {
      const instruction = this.program[place]
      if (instruction?.op === 'characters' && instruction.matches(code)) after.push(place + 1)
    }
    // A match can begin anywhere.
    const next = this.state(this.reached([...after, 0], false))
    if (code < ASCII) state.next[code] = next
    return next
  }

  private state(places: readonly number[]): State {
    const key = places.join()
    let state = this.states.get(key)
    if (state !== undefined) return state
    const has = (all: readonly number[]): boolean =>
      all.some((place) => this.program[place]?.op === 'match')
    const beyondEnd = places.filter((place) => this.program[place]?.op === 'assertion')
    const atEnd = beyondEnd.map((place) => place + 1)
    state = {
      places,
      isMatch: has(places),
      isMatchAtEnd: has(this.reached(atEnd, false, true)),
      next: [],
    }
    if (this.states.size >= MOST_STATES) this.states = new Map()
    this.states.set(key, state)
    return state
  }

  /** Places where something is read, or the end is asked for, from others on. */
  private reached(from: readonly number[], isStart: boolean, isEnd = false): number[] {
    const seen = new Set<number>()
    const found: number[] = []
    const pending = [...from]
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (seen.has(place)) continue
      seen.add(place)
      const onward = this.onward(place, isStart, isEnd)
      if (onward === undefined) found.push(place)
      else pending.push(...onward)
    }
    return found.sort((a, b) => a - b)
  }

  private onward(place: number, isStart: boolean, isEnd: boolean): readonly number[] | undefined {
    const instruction = this.program[place]
    if (instruction?.op === 'jump') return [instruction.to]
    if (instruction?.op === 'split') return [instruction.first, instruction.second]
    if (instruction?.op !== 'assertion') return undefined
    if (instruction.of === 'start') return isStart ? [place + 1] : []
    return isEnd ? [place + 1] : undefined
  }
}
