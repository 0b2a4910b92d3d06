import { MOST, tooMuch } from './body-size.ts'
import { type Fields, isFields } from './objects.ts'
import type { Steps } from './steps.ts'
import { cutBefore } from './utf8-text.ts'

// As many values are written at once: in the worst case, each under a key of its own, some milliseconds.
const LIGHT = 4_000
const HEAVY = LIGHT + 1
const LETTERS = 256
// Of a text, as many letters.
const PIECE = 128 * 1024

// Patches make objects larger than any body.
const MOST_WRITTEN = 2 * MOST.values

/** A JSON value as `JSON.stringify` writes it, with pauses. Throws an `ApiFailure` if it is more than one object may be. */
export function* jsonInSteps(value: unknown): Steps<string> {
  return (yield* jsonPiecesInSteps(value)).join('')
}

/** The same in pieces, none of which is long: as one text, what is long has to be copied. No letter is in two of them. */
export const jsonPiecesInSteps = (value: unknown): Steps<string[]> =>
  new JsonText({ fields: MOST.fields, values: MOST_WRITTEN }).of(value)

/** The JSON text of what the API says of itself, however much it is. */
export function* documentInSteps(value: unknown): Steps<string> {
  return (yield* documentPiecesInSteps(value)).join('')
}

/** The same in pieces. */
export const documentPiecesInSteps = (value: unknown): Steps<string[]> =>
  new JsonText(ANY).of(value)

/** Whether a JSON value is one that any work can be done to at once. */
export const isLight = (value: unknown): boolean => new JsonText(ANY).weightOf(value) <= LIGHT

interface Limits {
  /** In one map. */
  fields: number
  values: number
}

const ANY: Limits = { fields: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY }

class JsonText {
  readonly #limits: Limits
  readonly #pieces: string[] = []
  /** Of what is heavy it is found out once: to look into a map with very many keys takes long. */
  #heavy: Set<object> | undefined
  #written = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  *of(value: unknown): Steps<string[]> {
    yield* this.#write(value)
    return this.#pieces
  }

  *#write(value: unknown): Steps<void> {
    if (this.weightOf(value) <= LIGHT) {
      this.#pieces.push(JSON.stringify(value))
      return
    }
    yield
    if (typeof value === 'string') yield* this.#letters(value)
    else if (Array.isArray(value)) yield* this.#items(value)
    else if (isFields(value)) yield* this.#entries(value)
  }

  *#letters(value: string): Steps<void> {
    this.#pieces.push('"')
    for (let from = 0; from < value.length; ) {
      const to = cutBefore(value, from + PIECE)
      this.#pieces.push(JSON.stringify(value.slice(from, to)).slice(1, -1))
      from = to
      yield
    }
    this.#pieces.push('"')
  }

  *#items(list: readonly unknown[]): Steps<void> {
    this.#pieces.push('[')
    let batch: unknown[] = []
    let room = LIGHT
    let between = ''
    const flush = () => {
      if (batch.length > 0) {
        this.#pieces.push(`${between}${JSON.stringify(batch).slice(1, -1)}`)
        between = ','
      }
      batch = []
      room = LIGHT
    }
    for (const item of list) {
      const weight = this.weightOf(item)
      if (weight > room) {
        flush()
        yield
      }
      if (weight > LIGHT) {
        this.#pieces.push(between)
        between = ','
        yield* this.#write(item)
      } else batch.push(item)
      room -= weight
      this.#count(weight)
    }
    flush()
    this.#pieces.push(']')
  }

  *#entries(fields: Fields): Steps<void> {
    this.#pieces.push('{')
    // Without a prototype, so that a key may have any name.
    let batch: Fields = Object.create(null)
    let room = LIGHT
    let between = ''
    const flush = () => {
      const some = JSON.stringify(batch).slice(1, -1)
      if (some !== '') {
        this.#pieces.push(`${between}${some}`)
        between = ','
      }
      batch = Object.create(null)
      room = LIGHT
    }
    const keys = Object.keys(fields)
    const most = this.#limits.fields
    if (keys.length > most) throw tooMuch(`${most} fields in one map`)
    for (const key of keys) {
      const value = fields[key]
      const weight = this.weightOf(value)
      if (weight > room) {
        flush()
        yield
      }
      if (weight > LIGHT) {
        this.#pieces.push(`${between}${JSON.stringify(key)}:`)
        between = ','
        yield* this.#write(value)
      } else batch[key] = value
      room -= weight
      this.#count(weight)
    }
    flush()
    this.#pieces.push('}')
  }

  #count(weight: number): void {
    if (weight <= LIGHT) this.#written += weight
    const most = this.#limits.values
    if (this.#written > most) throw tooMuch(`${most} values`)
  }

  /** How many values there are in one, as far as it can be written at once. */
  weightOf(value: unknown): number {
    if (typeof value === 'string') return 1 + Math.floor(value.length / LETTERS)
    if (!Array.isArray(value) && !isFields(value)) return 1
    if (this.#heavy?.has(value)) return HEAVY
    const weight = Array.isArray(value) ? this.#weightOfItems(value) : this.#weightOfEntries(value)
    if (weight > LIGHT) {
      this.#heavy ??= new Set()
      this.#heavy.add(value)
    }
    return weight
  }

  #weightOfItems(list: readonly unknown[]): number {
    if (list.length > LIGHT) return HEAVY
    let weight = 1
    for (let index = 0; index < list.length && weight <= LIGHT; index++) {
      weight += this.weightOf(list[index])
    }
    return weight
  }

  #weightOfEntries(fields: Fields): number {
    let weight = 1
    // Not by `Object.values`, which takes many times as long where there are very many.
    for (const key in fields) {
      weight += this.weightOf(fields[key])
      if (weight > LIGHT) break
    }
    return weight
  }
}
