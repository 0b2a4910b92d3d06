import { endOfString } from '#apiserver/json-strings.ts'
import type { Steps } from '#apiserver/steps.ts'

// As many problems as Kubernetes tells of.
const MOST = 100

/** The paths of the fields that are there more than once in a valid JSON text: `spec.containers[0].name`. */
export function* duplicateFieldsIn(text: string): Steps<string[]> {
  const found = new Set<string>()
  yield* walkKeys(text, (isRepeated, places) => {
    if (isRepeated) found.add(pathOf(places))
    return found.size < MOST
  })
  return [...found]
}

/**
 * What strict decoding says of a JSON text, in the order of the text: each field in `unknown`, and each that
 * is there more than once. Of what lies inside an unknown field nothing is said.
 */
export function* fieldProblemsIn(text: string, unknown: readonly string[]): Steps<string[]> {
  const strangers = new Set(unknown)
  const found = new Set<string>()
  let strange = Number.POSITIVE_INFINITY
  yield* walkKeys(text, (isRepeated, places) => {
    // Paths are dear where much is nested, and nobody asks for those below a stranger.
    if (places.length > strange) return true
    const path = pathOf(places)
    const isStrange = strangers.has(path)
    strange = isStrange ? places.length : Number.POSITIVE_INFINITY
    if (isStrange) found.add(`unknown field "${path}"`)
    else if (isRepeated) found.add(`duplicate field "${path}"`)
    return found.size < MOST
  })
  return [...found]
}

/** An object or a list that is being read. */
interface Place {
  isObject: boolean
  /** The keys so far: an object that has none needs no set. */
  keys?: Set<string>
  /** The key or the index that is being read. */
  at: string | number
}

/** Told of each key; returns whether to go on. */
type OnKey = (isRepeated: boolean, places: readonly Place[]) => boolean

const [QUOTE, COMMA] = [0x22, 0x2c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

// Of three letters each there may be an object.
const PIECE = 16 * 1024

function* walkKeys(text: string, onKey: OnKey): Steps<void> {
  const walk = new KeyWalk(text, onKey)
  let at = walk.walk(0, PIECE)
  while (at < text.length) {
    yield
    at = walk.walk(at, at + PIECE)
  }
}

class KeyWalk {
  readonly #text: string
  readonly #onKey: OnKey
  readonly #places: Place[] = []
  #place: Place | undefined
  /** A string is a key when it is the first in an object, or follows a comma there. */
  #isKeyNext = false

  constructor(text: string, onKey: OnKey) {
    this.#text = text
    this.#onKey = onKey
  }

  /** Goes on from where it got to; returns how far it got this time. */
  walk(from: number, to: number): number {
    const end = Math.min(to, this.#text.length)
    let index = from
    for (; index < end; index++) {
      const letter = this.#text.charCodeAt(index)
      if (letter === QUOTE) index = this.#passString(index)
      else if (letter === COMMA) this.#next()
      else if (letter === OPEN_OBJECT) this.#open({ isObject: true, at: '' })
      else if (letter === OPEN_LIST) this.#open({ isObject: false, at: 0 })
      else if (letter === CLOSE_OBJECT || letter === CLOSE_LIST) this.#close()
    }
    return index
  }

  /** Returns where the string ends. */
  #passString(start: number): number {
    const end = endOfString(this.#text, start)
    if (this.#isKeyNext && this.#place?.isObject) {
      const isRepeated = enter(this.#place, keyOf(this.#text, start, end))
      if (!this.#onKey(isRepeated, this.#places)) return this.#text.length
    }
    this.#isKeyNext = false
    return end
  }

  #next(): void {
    if (typeof this.#place?.at === 'number') this.#place.at++
    this.#isKeyNext = true
  }

  #open(place: Place): void {
    this.#places.push(place)
    this.#place = place
    this.#isKeyNext = true
  }

  #close(): void {
    this.#places.pop()
    this.#place = this.#places.at(-1)
  }
}

/** Goes to a key of an object; returns whether it was there before. */
function enter(place: Place, key: string): boolean {
  place.at = key
  place.keys ??= new Set()
  const before = place.keys.size
  return place.keys.add(key).size === before
}

function keyOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end)
  return raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw // a string in quotes is a string
}

const pathOf = (places: readonly Place[]): string =>
  places.reduce((path, { at }) => {
    if (typeof at === 'number') return `${path}[${at}]`
    return path === '' ? at : `${path}.${at}`
  }, '')
