// Of the last few dials, none decides alone.
const WEIGHT = 1 / 16
// A handshake takes a few milliseconds. Where it takes an eighth of the time that there is, most time goes by in queues.
const SLOW_PART = 1 / 8
const LONGER = 4

/**
 * How long a dial may take. Where those that come about take long, somebody has too much to do, we or what
 * lies between: then a machine that has not answered yet is not taken for one that is off, and not dialled anew, which
 * would be more to do. There are two values only, because how long it took is told to users.
 */
export class DialPatience {
  readonly #usualMs: number
  #average = 0

  constructor(usualMs: number) {
    this.#usualMs = usualMs
  }

  get deadlineMs(): number {
    const isSlow = this.#average > this.#usualMs * SLOW_PART
    return isSlow ? this.#usualMs * LONGER : this.#usualMs
  }

  /** A dial came about, after so long. */
  took(ms: number): void {
    this.#average += (ms - this.#average) * WEIGHT
  }
}
