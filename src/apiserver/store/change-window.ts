import { type Change, Expired } from './store.ts'

/** How much of the past is remembered: what exceeds any of the three is forgotten, oldest first. */
export interface WindowBounds {
  changes: number
  /** Of the values, those from before each change included. */
  bytes: number
  ageMs: number
}

export const DEFAULT_WINDOW: WindowBounds = {
  changes: 10_000,
  bytes: 32 * 1024 * 1024,
  ageMs: 5 * 60_000,
}

interface Remembered {
  change: Change
  bytes: number
  atMs: number
}

/** The newest changes, in order, as far back as its bounds allow. */
export class ChangeWindow {
  readonly #bounds: WindowBounds
  #remembered: (Remembered | undefined)[] = []
  // What was forgotten stays in the array until it is half of it: shifting each time would be quadratic.
  #start = 0
  #bytes = 0
  #oldest: number

  constructor(bounds: WindowBounds, revision: number) {
    this.#bounds = bounds
    this.#oldest = revision
  }

  add(changes: readonly Change[], nowMs: number): void {
    for (const change of changes) {
      const bytes = change.value.length + (change.previous?.value.length ?? 0)
      this.#bytes += bytes
      this.#remembered.push({ change, bytes, atMs: nowMs })
    }
    this.#trim(nowMs)
  }

  /** Forgets what has become too old. Whether something is left. */
  forgetOld(nowMs: number): boolean {
    this.#trim(nowMs)
    return this.#first() !== undefined
  }

  /** Those after a revision, oldest first. Throws `Expired` when some of them are forgotten. */
  since(revision: number): Change[] {
    if (revision < this.#oldest) throw new Expired(this.#oldest)
    return this.#remembered.slice(this.#firstAfter(revision)).flatMap((one) => one?.change ?? [])
  }

  #firstAfter(revision: number): number {
    let low = this.#start
    let high = this.#remembered.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const found = this.#remembered[middle]
      if (found && found.change.revision > revision) high = middle
      else low = middle + 1
    }
    return low
  }

  #trim(nowMs: number): void {
    for (let first = this.#first(); first && this.#exceeds(first, nowMs); first = this.#first()) {
      this.#bytes -= first.bytes
      this.#oldest = first.change.revision
      this.#remembered[this.#start++] = undefined
    }
    if (this.#start * 2 <= this.#remembered.length) return
    this.#remembered = this.#remembered.slice(this.#start)
    this.#start = 0
  }

  #first(): Remembered | undefined {
    return this.#remembered[this.#start]
  }

  #exceeds(first: Remembered, nowMs: number): boolean {
    return (
      this.#remembered.length - this.#start > this.#bounds.changes ||
      this.#bytes > this.#bounds.bytes ||
      nowMs - first.atMs > this.#bounds.ageMs
    )
  }
}
