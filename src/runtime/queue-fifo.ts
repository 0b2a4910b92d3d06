/** Where somebody stands in a line; whoever holds it can leave from the middle. */
export interface Place<T> {
  readonly value: T
  before: Place<T> | undefined
  after: Place<T> | undefined
}

/** A line: first in, first out. Joining and leaving cost the same however long it is. */
// Neither an array (leaving the middle is a scan) nor a Set (looking for the first walks over the
// holes that earlier ones left) would keep that.
export class Fifo<T> {
  #first: Place<T> | undefined
  #last: Place<T> | undefined
  #length = 0

  get first(): T | undefined {
    return this.#first?.value
  }

  get length(): number {
    return this.#length
  }

  push(value: T): Place<T> {
    const place: Place<T> = { value, before: this.#last, after: undefined }
    if (this.#last) this.#last.after = place
    else this.#first = place
    this.#last = place
    this.#length++
    return place
  }

  /** The place must be one of this line, and is not to be used again. */
  remove(place: Place<T>): void {
    const { before, after } = place
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    this.#length--
    // Whoever still holds the place would otherwise hold all that ever stood behind it.
    place.before = undefined
    place.after = undefined
  }
}
