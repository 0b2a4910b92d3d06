import { isFields } from '#apiserver/objects.ts'
import { sortedInSteps } from '#apiserver/sort-steps.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'

/** What is wrong with a path element, or with the item of a list that has none. */
export class PathElementError extends Error {
  override readonly name = 'PathElementError'
}

const mostKnown = 20_000
const knownFields = new Map<string, string>()
const knownElements = new Map<string, string | undefined>()

/** Remembers what was made of a text, so that the same few need not be made over and over. */
function remember<T>(known: Map<string, T>, text: string, made: T): T {
  if (known.size >= mostKnown) known.clear()
  known.set(text, made)
  return made
}

export const fieldElement = (name: string): string =>
  knownFields.get(name) ?? remember(knownFields, name, `f:${name}`)

export const valueElement = (value: unknown): string => `v:${goJson(value)}`

/** The element of an item of a keyed list; the pairs are in the order of their names. */
export const keyElement = (pairs: readonly (readonly [name: string, value: unknown])[]): string =>
  `k:{${pairs.map(([name, value]) => `${goJson(name)}:${goJson(value)}`).join(',')}}`

const escaped = /[<>&\u2028\u2029]/
const escapedAll = /[<>&\u2028\u2029]/g

const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** JSON as Go writes it: keys sorted, and what HTML could mistake escaped. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(isPlain(value) ? value : sorted(value)) ?? 'null'
  return escaped.test(text) ? text.replace(escapedAll, unicodeEscape) : text
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  )
}

/**
 * A key of FieldsV1 in the one form that sets use; undefined for a kind of element that is not known,
 * which Kubernetes skips. Throws a `PathElementError` for what it refuses.
 */
export function readElement(key: string): string | undefined {
  if (key.startsWith('f:')) return key
  return knownElements.get(key) ?? remember(knownElements, key, canonical(key))
}

function canonical(key: string): string | undefined {
  if (key.length < 2 || key[1] !== ':') throw new PathElementError(`not a path element: ${key}`)
  switch (key[0]) {
    case 'v':
      return valueElement(parsed(key))
    case 'k': {
      const pairs = parsed(key)
      if (!isFields(pairs)) throw new PathElementError(`not a key: ${key}`)
      return keyElement(Object.entries(pairs).sort(([a], [b]) => (a < b ? -1 : 1)))
    }
    case 'i':
      if (!/^i:-?\d+$/.test(key)) throw new PathElementError(`not an index: ${key}`)
      return key
    default:
      return undefined
  }
}

function parsed(key: string): unknown {
  try {
    return JSON.parse(key.slice(2))
  } catch {
    throw new PathElementError(`not JSON: ${key}`)
  }
}

const ranks = 'fkvi'

/** An element that is to be ordered, read once and not whenever it is compared. */
interface Ordered<Entry> {
  entry: Entry
  rank: number
  name: string
  pairs: readonly [string, unknown][]
  value: unknown
}

/** In the order in which Kubernetes writes elements: fields, keys, values, indexes. */
export function* inElementOrder<Below>(entries: [string, Below][]): Steps<[string, Below][]> {
  const all: Ordered<[string, Below]>[] = []
  for (const entry of entries) {
    all.push(orderedOf(entry))
    if (isDue()) yield
  }
  // They mostly come from a set that was written before, so that they are sorted already.
  const isSorted = all.every((one, index) => {
    const before = all[index - 1]
    return before === undefined || compareElements(before, one) <= 0
  })
  if (isSorted) return entries
  return (yield* sortedInSteps(all, compareElements)).map(({ entry }) => entry)
}

function orderedOf<Below>(entry: [string, Below]): Ordered<[string, Below]> {
  const [name] = entry
  const rank = ranks.indexOf(name.charAt(0))
  const pairs = rank === KEYS ? pairsOf(name) : NO_PAIRS
  return { entry, rank, name, pairs, value: rank > KEYS ? parsed(name) : undefined }
}

const [FIELDS, KEYS] = [0, 1]
const NO_PAIRS: readonly [string, unknown][] = []

function compareElements(a: Ordered<unknown>, b: Ordered<unknown>): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  if (a.rank === FIELDS) return a.name < b.name ? -1 : Number(a.name > b.name)
  return a.rank === KEYS ? compareKeys(a.pairs, b.pairs) : compareValues(a.value, b.value)
}

const pairsOf = (element: string): [string, unknown][] => {
  const pairs = parsed(element)
  return isFields(pairs) ? Object.entries(pairs) : []
}

function compareKeys(a: readonly [string, unknown][], b: readonly [string, unknown][]): number {
  for (let index = 0; index < a.length; index++) {
    const [one, other] = [a[index], b[index]]
    if (one === undefined || other === undefined) return 1
    if (one[0] !== other[0]) return one[0] < other[0] ? -1 : 1
    const order = compareValues(one[1], other[1])
    if (order !== 0) return order
  }
  return a.length - b.length
}

const kinds = ['number', 'string', 'boolean', 'object']

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  return kinds.indexOf(typeof a) - kinds.indexOf(typeof b)
}

/** An element as sentences show it: `.spec`, `[name="x",port=80]`, `[="x"]`, `[0]`. */
export function showElement(element: string): string {
  switch (element[0]) {
    case 'f':
      return `.${element.slice(2)}`
    case 'k':
      return `[${pairsOf(element)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(',')}]`
    case 'v':
      return `[=${JSON.stringify(parsed(element))}]`
    default:
      return `[${element.slice(2)}]`
  }
}
