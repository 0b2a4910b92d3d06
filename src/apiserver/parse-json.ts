import { BodySize } from './body-size.ts'
import { jsonProblemInSteps } from './json-error.ts'
import {
  depthProblemIn,
  endOfMember,
  endOfString,
  isClosing,
  isOpening,
  LEVELS,
  tooDeep,
} from './json-strings.ts'
import { type Fields, put } from './objects.ts'
import { isDue, type Steps } from './steps.ts'

/** The value of a JSON text. Throws if it is none, or nested deeper than anything here can follow. */
export function parseJson(text: string): unknown {
  const problem = depthProblemIn(text)
  if (problem !== undefined) throw new Error(problem)
  const value: unknown = JSON.parse(text)
  return value
}

// What is parsed at once: in the worst case, nothing but brackets, some milliseconds.
const WHOLE = 32 * 1024

/** The same, with pauses. Of a long text that is none, says what Go would say. */
export const parseInSteps = (text: string): Steps<unknown> => parsedIn(text, undefined)

/** The same for what a client sent: throws an `ApiFailure` if there is more in it than anyone may send. */
export const parseBodyInSteps = (text: string): Steps<unknown> => parsedIn(text, new BodySize())

function* parsedIn(text: string, size: BodySize | undefined): Steps<unknown> {
  if (text.length <= WHOLE) return parseJson(text)
  const ends = yield* largeSpansIn(text, size)
  try {
    return yield* new Slices(text, ends).value()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Error(yield* jsonProblemInSteps(text))
  }
}

const [QUOTE, COLON, COMMA, BACKSLASH] = [0x22, 0x3a, 0x2c, 0x5c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]
const CLOSES = new Map([
  [QUOTE, QUOTE],
  [OPEN_OBJECT, CLOSE_OBJECT],
  [OPEN_LIST, CLOSE_LIST],
])
const LONGEST_ESCAPE = '\\u0000'.length

/**
 * Where each bracket and each string is closed that is not closed soon, and the first bracket. Whether the two are of a
 * kind, nobody has looked.
 */
function* largeSpansIn(
  text: string,
  size: BodySize | undefined,
): Steps<ReadonlyMap<number, number>> {
  const spans = new Spans(text, size)
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE) at = spans.passString(at)
    else spans.pass(letter, at)
    if (isDue()) yield
  }
  return spans.ends
}

class Spans {
  readonly ends = new Map<number, number>()
  readonly #open: number[] = []
  readonly #text: string
  readonly #size: BodySize | undefined

  constructor(text: string, size: BodySize | undefined) {
    this.#text = text
    this.#size = size
  }

  pass(letter: number, at: number): void {
    if (letter === COMMA) this.#size?.add()
    else if (isOpening(letter)) this.#opened(letter, at)
    else if (isClosing(letter)) this.#closed(at)
  }

  /** Returns where the string ends that begins there. */
  passString(start: number): number {
    const end = endOfString(this.#text, start)
    if (end - start > WHOLE) this.ends.set(start, end)
    return end
  }

  #opened(letter: number, at: number): void {
    if (this.#open.push(at) > LEVELS) throw new Error(tooDeep(this.#text.charAt(at)))
    this.#size?.open(letter === OPEN_OBJECT)
  }

  #closed(at: number): void {
    this.#size?.close()
    const start = this.#open.pop() ?? at
    if (at - start > WHOLE || this.#open.length === 0) this.ends.set(start, at)
  }
}

const broken = (): SyntaxError => new SyntaxError('this is no JSON')

/** A text of which `JSON.parse` gets a slice at a time: what is long is taken apart, what is short put together. */
class Slices {
  readonly #text: string
  readonly #ends: ReadonlyMap<number, number>

  constructor(text: string, ends: ReadonlyMap<number, number>) {
    this.#text = text
    this.#ends = ends
  }

  *value(): Steps<unknown> {
    const start = this.#pastSpace(0)
    const end = this.#ends.get(start)
    if (end === undefined) {
      if (isOpening(this.#text.charCodeAt(start))) throw broken()
      const value: unknown = JSON.parse(this.#text)
      return value
    }
    if (this.#pastSpace(end + 1) < this.#text.length) throw broken()
    return yield* this.#long(start, end)
  }

  /** A value that is taken apart, by its first letter and its last. */
  #long(start: number, end: number): Steps<unknown> {
    const first = this.#text.charCodeAt(start)
    if (this.#text.charCodeAt(end) !== CLOSES.get(first)) throw broken()
    if (first === QUOTE) return this.#string(start, end)
    return first === OPEN_LIST ? this.#list(start, end) : this.#object(start, end)
  }

  *#string(start: number, end: number): Steps<string> {
    let value = ''
    for (let from = start + 1; from < end; ) {
      const to = from + WHOLE < end ? this.#beforeEscape(from, from + WHOLE) : end
      value += String(JSON.parse(`"${this.#text.slice(from, to)}"`))
      from = to
      yield
    }
    return value
  }

  /** A place at which a string can be cut: the one that is told, or where the escape begins that it is in. */
  #beforeEscape(from: number, at: number): number {
    for (let start = at - 1; start > at - LONGEST_ESCAPE; start--) {
      if (this.#text.charCodeAt(start) !== BACKSLASH) continue
      let first = start
      while (first > from && this.#text.charCodeAt(first - 1) === BACKSLASH) first--
      const isEscape = (start - first) % 2 === 0
      return isEscape ? start : at
    }
    return at
  }

  *#list(start: number, end: number): Steps<unknown[]> {
    const list: unknown[] = []
    yield* this.#members(start, end, {
      valueAt: (from) => this.#pastSpace(from),
      take: (text) => {
        const some: unknown[] = JSON.parse(`[${text}]`) // a list, by its brackets
        for (const one of some) list.push(one)
        return some.length
      },
      add: (_, value) => list.push(value),
    })
    return list
  }

  *#object(start: number, end: number): Steps<Fields> {
    const fields: Fields = {}
    yield* this.#members(start, end, {
      valueAt: (from) => this.#pastKey(from),
      take: (text) => {
        const some: Fields = JSON.parse(`{${text}}`) // a map, by its brackets
        const keys = Object.keys(some)
        for (const key of keys) put(fields, key, some[key])
        return keys.length
      },
      add: (from, value) => put(fields, this.#keyAt(from), value),
    })
    return fields
  }

  *#members(start: number, end: number, members: Members): Steps<void> {
    let from = start + 1
    if (this.#pastSpace(from) === end) return
    let batch = from
    while (from <= end) {
      const at = members.valueAt(from)
      const close = this.#ends.get(at)
      if (close === undefined) {
        from = Math.min(endOfMember(this.#text, from), end) + 1
        if (from <= end && from - batch < WHOLE) continue
        this.#take(batch, from, members)
        yield
      } else {
        if (batch < from) this.#take(batch, from, members)
        members.add(from, yield* this.#long(at, close))
        from = this.#pastMember(close, end)
      }
      batch = from
    }
  }

  /** Takes the members from one place to another, but for what is behind the last. */
  #take(from: number, to: number, members: Members): void {
    if (members.take(this.#text.slice(from, to - 1)) === 0) throw broken()
  }

  /** Where the next member begins. */
  #pastMember(close: number, end: number): number {
    const next = this.#pastSpace(close + 1)
    if (next !== end && this.#text.charCodeAt(next) !== COMMA) throw broken()
    return next + 1
  }

  /** Where the value of a field begins; nowhere, if it is none: then whoever parses it will find out. */
  #pastKey(from: number): number {
    const start = this.#pastSpace(from)
    if (this.#text.charCodeAt(start) !== QUOTE) return -1
    const colon = this.#pastSpace(endOfString(this.#text, start) + 1)
    return this.#text.charCodeAt(colon) === COLON ? this.#pastSpace(colon + 1) : -1
  }

  #keyAt(from: number): string {
    const start = this.#pastSpace(from)
    return String(JSON.parse(this.#text.slice(start, endOfString(this.#text, start) + 1)))
  }

  #pastSpace(from: number): number {
    let at = from
    while (isSpace(this.#text.charCodeAt(at))) at++
    return at
  }
}

interface Members {
  /** Where the value of a member begins. */
  valueAt(from: number): number
  /** Adds members that are written one after the other; returns how many, at least. */
  take(text: string): number
  /** Adds the member that begins there. */
  add(from: number, value: unknown): void
}

const isSpace = (letter: number): boolean =>
  letter === 0x20 || letter === 0x0a || letter === 0x0d || letter === 0x09
