/** Something that is due at a time. The index is the heap's own. */
export interface Timed<T> {
  readonly value: T
  readonly at: number
  index: number
}

/** Knows which of many is due first. Adding and removing take logarithmic time. */
export class Heap<T> {
  #entries: Timed<T>[] = []

  get first(): Timed<T> | undefined {
    return this.#entries[0]
  }

  get size(): number {
    return this.#entries.length
  }

  add(value: T, at: number): Timed<T> {
    const entry = { value, at, index: this.#entries.length }
    this.#entries.push(entry)
    this.#rise(entry)
    return entry
  }

  /** The entry must be one of this heap, and is not to be used again. */
  remove(entry: Timed<T>): void {
    const last = this.#entries.pop()
    if (last === undefined || last === entry) return
    this.#put(last, entry.index)
    this.#rise(last)
    this.#sink(last)
  }

  #rise(entry: Timed<T>): void {
    while (entry.index > 0) {
      const parent = this.#entries[(entry.index - 1) >> 1]
      if (parent === undefined || parent.at <= entry.at) return
      this.#swap(parent, entry)
    }
  }

  #sink(entry: Timed<T>): void {
    for (;;) {
      const child = this.#earlierChild(entry.index)
      if (child === undefined || child.at >= entry.at) return
      this.#swap(entry, child)
    }
  }

  #earlierChild(index: number): Timed<T> | undefined {
    const left = this.#entries[2 * index + 1]
    const right = this.#entries[2 * index + 2]
    return left && right && right.at < left.at ? right : left
  }

  #swap(upper: Timed<T>, lower: Timed<T>): void {
    const { index } = upper
    this.#put(upper, lower.index)
    this.#put(lower, index)
  }

  #put(entry: Timed<T>, index: number): void {
    this.#entries[index] = entry
    entry.index = index
  }
}
