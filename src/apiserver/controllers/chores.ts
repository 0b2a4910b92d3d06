import { paceOf } from '#apiserver/pace.ts'
import { delayMs } from '#base/backoff.ts'
import type { Cancel, Clock } from '#base/clock.ts'

interface ChoresOptions {
  clock: Clock
  /** Does what there is to do about a key. Safe to repeat. */
  run(key: string): Promise<void>
  onError(error: unknown, key: string): void
}

const BACKOFF = { firstMs: 100, mostMs: 30_000 }

/** Does something about keys, one at a time, in order; what fails is tried again later. */
export class Chores {
  readonly #options: ChoresOptions
  readonly #due = new Set<string>()
  readonly #failures = new Map<string, number>()
  readonly #later = new Map<string, Cancel>()
  #isRunning = false
  #isStopped = false

  constructor(options: ChoresOptions) {
    this.#options = options
  }

  add(key: string): void {
    if (this.#isStopped) return
    this.#due.add(key)
    if (this.#isRunning) return
    this.#isRunning = true
    // The writer whose change brought this here is answered first.
    setImmediate(() => void this.#work())
  }

  stop(): void {
    this.#isStopped = true
    this.#due.clear()
    for (const cancel of this.#later.values()) cancel()
    this.#later.clear()
  }

  async #work(): Promise<void> {
    const pace = paceOf(this.#options.clock)
    // What is added meanwhile comes at the end.
    for (const key of this.#due) {
      this.#due.delete(key)
      // Many may have nothing to do, and to find that out takes no turn of the event loop.
      if (pace.isSpent) await pace.later()
      await this.#try(key)
    }
    this.#isRunning = false
  }

  async #try(key: string): Promise<void> {
    const { run, clock, onError } = this.#options
    this.#later.get(key)?.()
    this.#later.delete(key)
    try {
      await run(key)
      this.#failures.delete(key)
    } catch (error) {
      if (this.#isStopped) return
      const failures = (this.#failures.get(key) ?? 0) + 1
      this.#failures.set(key, failures)
      onError(error, key)
      this.#later.set(
        key,
        clock.after(delayMs(BACKOFF, failures), () => this.add(key)),
      )
    }
  }
}
