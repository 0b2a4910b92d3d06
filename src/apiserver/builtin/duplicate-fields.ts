/** The paths of the fields that are there more than once in a valid JSON text: `spec.containers[0].name`. */
export function duplicateFieldsIn(text: string): string[] {
  const found = new Set<string>()
  walkKeys(text, (isRepeated, places) => {
    if (isRepeated) found.add(pathOf(places))
  })
  return [...found]
}

/**
 * What strict decoding says of a JSON text, in the order of the text: each field in `unknown`, and each that
 * is there more than once. Of what lies inside an unknown field nothing is said.
 */
export function fieldProblemsIn(text: string, unknown: readonly string[]): string[] {
  const strangers = new Set(unknown)
  const found = new Set<string>()
  walkKeys(text, (isRepeated, places) => {
    const path = pathOf(places)
    if (strangers.has(path)) found.add(`unknown field "${path}"`)
    else if (isRepeated && !unknown.some((one) => isBelow(path, one)))
      found.add(`duplicate field "${path}"`)
  })
  return [...found]
}

const isBelow = (path: string, above: string): boolean =>
  path.startsWith(`${above}.`) || path.startsWith(`${above}[`)

/** An object or a list that is being read. */
interface Place {
  /** The keys of an object so far; of a list, none. */
  keys: Set<string> | undefined
  /** The key or the index that is being read. */
  at: string | number
}

type OnKey = (isRepeated: boolean, places: readonly Place[]) => void

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

const walkKeys = (text: string, onKey: OnKey): void => new KeyWalk(text, onKey).walk()

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

  walk(): void {
    for (let index = 0; index < this.#text.length; index++) {
      const letter = this.#text.charCodeAt(index)
      if (letter === QUOTE) index = this.#passString(index)
      else if (letter === COMMA) this.#next()
      else if (letter === OPEN_OBJECT) this.#open({ keys: new Set(), at: '' })
      else if (letter === OPEN_LIST) this.#open({ keys: undefined, at: 0 })
      else if (letter === CLOSE_OBJECT || letter === CLOSE_LIST) this.#close()
    }
  }

  /** Returns where the string ends. */
  #passString(start: number): number {
    const end = endOfString(this.#text, start)
    if (this.#isKeyNext && this.#place?.keys) {
      const isRepeated = enter(this.#place, keyOf(this.#text, start, end))
      this.#onKey(isRepeated, this.#places)
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
  const before = place.keys?.size
  return place.keys?.add(key).size === before
}

/** The index of the quote that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (quote - first) % 2 === 1
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
