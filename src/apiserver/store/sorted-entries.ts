import type { Entry } from './store.ts'

/** The keys of a collection, in order. Those of entries that are gone stay until they are half of it. */
interface Collection {
  keys: string[]
  gone: number
}

/**
 * Entries by key, and in order. The keys of a collection (`group/plural/`) are one sorted array, so
 * that a list is a slice of it, and a change moves the keys of its own collection only.
 */
export class SortedEntries {
  readonly #entries = new Map<string, Entry>()
  readonly #collections = new Map<string, Collection>()

  constructor(entries: Iterable<Entry>) {
    for (const entry of entries) {
      this.#entries.set(entry.key, entry)
      this.#collectionWith(entry.key).keys.push(entry.key)
    }
    for (const { keys } of this.#collections.values()) keys.sort(compare)
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  put(entry: Entry): void {
    const { key } = entry
    if (!this.#entries.has(key)) {
      const collection = this.#collectionWith(key)
      const { keys } = collection
      const at = firstIndex(keys, (each) => each >= key)
      if (keys[at] === key) collection.gone--
      else keys.splice(at, 0, key)
    }
    this.#entries.set(key, entry)
  }

  remove(key: string): void {
    if (!this.#entries.delete(key)) return
    const collection = this.#collectionWith(key)
    collection.gone++
    // To move all keys for each that goes would take long where many go.
    if (collection.gone * 2 < collection.keys.length) return
    collection.keys = collection.keys.filter((each) => this.#entries.has(each))
    collection.gone = 0
    if (collection.keys.length === 0) this.#collections.delete(collectionOf(key))
  }

  /** In order. The array is the caller's own. */
  list(prefix: string): Entry[] {
    const found: Entry[] = []
    for (const keys of this.#collectionsUnder(prefix)) {
      const start = firstIndex(keys, (key) => key >= prefix)
      const end = firstIndex(keys, (key) => key >= prefix && !key.startsWith(prefix))
      for (const key of keys.slice(start, end)) {
        const entry = this.#entries.get(key)
        if (entry) found.push(entry)
      }
    }
    return found
  }

  #collectionsUnder(prefix: string): string[][] {
    const collection = collectionOf(prefix)
    if (collection) return [this.#collections.get(collection)?.keys ?? []]
    // No collection's name begins with another's: in their order, all keys are in order.
    return [...this.#collections]
      .filter(([name]) => name.startsWith(prefix))
      .sort(([a], [b]) => compare(a, b))
      .map(([, { keys }]) => keys)
  }

  #collectionWith(key: string): Collection {
    const name = collectionOf(key)
    const known = this.#collections.get(name)
    if (known) return known
    const collection = { keys: [], gone: 0 }
    this.#collections.set(name, collection)
    return collection
  }
}

/** The `group/plural/` of a key or of a prefix; nothing when it has none. */
export function collectionOf(key: string): string {
  const group = key.indexOf('/')
  const plural = group < 0 ? -1 : key.indexOf('/', group + 1)
  return key.slice(0, plural + 1)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Where the first key is of which it holds; it holds for all after that one. */
function firstIndex(keys: readonly string[], holds: (key: string) => boolean): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(keys[middle] ?? '')) high = middle
    else low = middle + 1
  }
  return low
}
