import type { Clock } from '#base/clock.ts'

/** What is under way right now, and for how long. */
export class Running {
  readonly #clock: Clock
  readonly #sinceMs = new Map<symbol, { what: string; sinceMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Does the work, and counts it as under way meanwhile. */
  async during<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const id = Symbol(what)
    this.#sinceMs.set(id, { what, sinceMs: this.#clock.monotonicMs() })
    try {
      return await work()
    } finally {
      this.#sinceMs.delete(id)
    }
  }

  /** What has been under way for longest. A map keeps the order in which its entries came. */
  get longest(): { what: string; forMs: number } | undefined {
    const [first] = this.#sinceMs.values()
    return first && { what: first.what, forMs: this.#clock.monotonicMs() - first.sinceMs }
  }
}
