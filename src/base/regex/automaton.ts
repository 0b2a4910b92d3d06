import type { Instruction } from './program.ts'
import type { Spend } from './spend.ts'

/** A set of places in the program at which a match can be, and what follows from each character. */
interface State {
  places: readonly number[]
  isMatch: boolean
  /** Whether it is one where the text ends. */
  isMatchAtEnd: boolean
  /** By character, for the first 128. */
  next: (State | undefined)[]
  /** By character, for some others. */
  others: Map<number, State>
}

type PlaceInText = 'start' | 'within' | 'end' | 'startAndEnd'

const MOST_STATES = 250
/** Of all states together. */
const MOST_PLACES = 20_000
const MOST_OTHERS = 100
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
  private kept = 0
  private start: State | undefined
  /** What it says of an empty text, where start and end are at one place. */
  private forNothing: boolean | undefined

  constructor(program: readonly Instruction[]) {
    this.program = program
  }

  test(text: string, spend: Spend): boolean {
    if (text === '') return this.testNothing(spend)
    let state = this.begin(spend)
    for (let index = 0; index < text.length; ) {
      if (state.isMatch) return true
      const code = text.codePointAt(index) ?? 0
      state = known(state, code) ?? this.follow(state, code, spend)
      if (state.places.length === 0) return false
      index += code > 0xffff ? 2 : 1
    }
    return state.isMatch || state.isMatchAtEnd
  }

  private begin(spend: Spend): State {
    this.start ??= this.stateOf(this.reached([0], 'start', spend), spend)
    return this.start
  }

  private testNothing(spend: Spend): boolean {
    this.forNothing ??= this.hasMatch(this.reached([0], 'startAndEnd', spend))
    return this.forNothing
  }

  private follow(state: State, code: number, spend: Spend): State {
    spend(8 + 2 * state.places.length)
    const after: number[] = []
    for (const place of state.places) {
      const instruction = this.program[place]
      if (instruction?.op === 'characters' && instruction.matches(code)) after.push(place + 1)
    }
    // A match can begin anywhere.
    after.push(0)
    const next = this.stateOf(this.reached(after, 'within', spend), spend)
    if (code < ASCII) state.next[code] = next
    else if (state.others.size < MOST_OTHERS) state.others.set(code, next)
    return next
  }

  private stateOf(places: readonly number[], spend: Spend): State {
    const key = places.join()
    let state = this.states.get(key)
    if (state !== undefined) return state
    const beyondEnd = places.filter((place) => this.program[place]?.op === 'assertion')
    const atEnd = beyondEnd.map((place) => place + 1)
    state = {
      places,
      isMatch: this.hasMatch(places),
      isMatchAtEnd: this.hasMatch(this.reached(atEnd, 'end', spend)),
      next: [],
      others: new Map(),
    }
    this.keep(key, state)
    return state
  }

  private keep(key: string, state: State): void {
    this.kept += state.places.length
    if (this.states.size >= MOST_STATES || this.kept > MOST_PLACES) {
      this.states = new Map()
      this.start = undefined
      this.kept = state.places.length
    }
    this.states.set(key, state)
  }

  private hasMatch(places: readonly number[]): boolean {
    return places.some((place) => this.program[place]?.op === 'match')
  }

  /** Places where something is read, or the end is asked for, from others on. */
  private reached(from: readonly number[], at: PlaceInText, spend: Spend): number[] {
    const seen = new Set<number>()
    const found: number[] = []
    const pending = [...from]
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (seen.has(place)) continue
      seen.add(place)
      const onward = this.onward(place, at)
      if (onward === undefined) found.push(place)
      else pending.push(...onward)
    }
    spend(3 * seen.size)
    return found.sort((a, b) => a - b)
  }

  private onward(place: number, at: PlaceInText): readonly number[] | undefined {
    const instruction = this.program[place]
    if (instruction?.op === 'jump') return [instruction.to]
    if (instruction?.op === 'split') return [instruction.first, instruction.second]
    if (instruction?.op !== 'assertion') return undefined
    if (instruction.of === 'start') return at.startsWith('start') ? [place + 1] : []
    return at === 'end' || at === 'startAndEnd' ? [place + 1] : undefined
  }
}

const known = ({ next, others }: State, code: number): State | undefined =>
  code < ASCII ? next[code] : others.get(code)
