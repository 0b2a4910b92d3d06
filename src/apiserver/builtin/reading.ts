import type { Steps } from '#apiserver/steps.ts'
import type { Field } from './table.ts'

/** Thrown for a value that does not fit its Go type; the message is what Go would say. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

// As many as Kubernetes tells of.
const MOST_UNKNOWN = 100

/**
 * Where a decoder is, for the sake of messages. One is used for a whole object: what goes down a level pushes,
 * and pops when it comes back.
 */
export class Reading {
  /** Paths of fields that the Go type does not have, as strict decoding shows them. */
  readonly unknown: string[] = []
  /** The Go struct whose field is being read. */
  struct = ''
  /** Fields, indices of lists, keys of maps. */
  readonly #stack: (Field | number | string)[] = []
  /** Custom unmarshalers in Go drop what they do not know without a word. */
  #silent = 0

  push(place: Field | number | string): void {
    this.#stack.push(place)
  }

  pop(): void {
    this.#stack.pop()
  }

  *silently<T>(read: Steps<T>): Steps<T> {
    this.#silent++
    const value = yield* read
    this.#silent--
    return value
  }

  addUnknown(key: string): void {
    if (this.#silent > 0 || this.unknown.length >= MOST_UNKNOWN) return
    const path = this.#stack.reduce<string>((before, place) => before + step(before, place), '')
    this.unknown.push(path + step(path, key))
  }

  /** A value is of another type than Go has there. */
  mismatch(value: unknown, goType: string): Unreadable {
    const path = this.#stack.flatMap((place) =>
      typeof place === 'object' ? [...place.embedded, place.name] : [],
    )
    const where = path.length > 0 ? `Go struct field ${this.struct}.${path.join('.')}` : 'Go value'
    return new Unreadable(
      `json: cannot unmarshal ${nameOf(value, goType)} into ${where} of type ${goType}`,
    )
  }
}

function step(before: string, place: Field | number | string): string {
  if (typeof place === 'number') return `[${place}]`
  const name = typeof place === 'string' ? place : place.name
  return before === '' ? name : `.${name}`
}

const NUMBERS = new Set(['int32', 'int64', 'float64'])

/** What Go calls a JSON value. A number is shown only where another number was wanted. */
function nameOf(value: unknown, goType: string): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value !== 'number') return typeof value
  return NUMBERS.has(goType) ? `number ${value}` : 'number'
}
