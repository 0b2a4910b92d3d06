import type { Cancel, Clock } from '#base/clock.ts'

/** Who goes first when calls have to wait: what a user looks at, the rest, what can wait. */
export type Priority = 'user' | 'normal' | 'background'

const ORDER: readonly Priority[] = ['user', 'normal', 'background']

export interface LimiterOptions {
  clock: Clock
  /** Calls per second in the long run. */
  perSecond: number
  /** Calls in a row after a quiet time. */
  burst: number
  /** Calls under way at once: each has a connection of its own, which is costly to make. */
  atOnce: number
}

/** Says that the call is over, so that another can be made. */
type Release = () => void

interface Waiter {
  go: () => void
}

/**
 * Spreads the calls to one API server, so that we are never the client that wears it out. A server
 * that asks to be left alone gets its pause, for all calls.
 */
export class Limiter {
  readonly #options: LimiterOptions
  readonly #waiting: Record<Priority, Set<Waiter>> = {
    user: new Set(),
    normal: new Set(),
    background: new Set(),
  }
  #tokens: number
  #filledAtMs: number
  #pausedUntilMs = 0
  #underWay = 0
  #cancelTimer: Cancel | undefined

  constructor(options: LimiterOptions) {
    this.#options = options
    this.#tokens = options.burst
    this.#filledAtMs = options.clock.monotonicMs()
  }

  /** How many calls wait for their turn. */
  get waiting(): number {
    return ORDER.reduce((sum, priority) => sum + this.#waiting[priority].size, 0)
  }

  /**
   * Resolves when the call may be made, with what must be called when it is over. Rejects with the
   * signal's reason when it aborts first.
   */
  async turn(priority: Priority, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted()
    if (this.waiting > 0 || !this.#take()) await this.#wait(priority, signal)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#underWay -= 1
      this.#admit()
    }
  }

  async #wait(priority: Priority, signal: AbortSignal): Promise<void> {
    const queue = this.#waiting[priority]
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        queue.delete(waiter)
        reject(signal.reason)
      }
      const waiter: Waiter = {
        go: () => {
          signal.removeEventListener('abort', onAbort)
          resolve()
        },
      }
      signal.addEventListener('abort', onAbort, { once: true })
      queue.add(waiter)
      this.#schedule()
    })
  }

  /** No call is made before this time has passed. */
  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#options.clock.monotonicMs() + ms)
  }

  #take(): boolean {
    const { clock, perSecond, burst } = this.#options
    const now = clock.monotonicMs()
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAtMs) / 1_000) * perSecond)
    this.#filledAtMs = now
    const isFull = this.#underWay >= this.#options.atOnce
    if (isFull || now < this.#pausedUntilMs || this.#tokens < 1) return false
    this.#tokens -= 1
    this.#underWay += 1
    return true
  }

  #schedule(): void {
    const { clock, perSecond, atOnce } = this.#options
    // When all places are taken, the next call goes when one is free, and not at some time.
    if (this.#cancelTimer || this.waiting === 0 || this.#underWay >= atOnce) return
    const untilToken = ((1 - Math.min(1, this.#tokens)) / perSecond) * 1_000
    const untilResumed = this.#pausedUntilMs - clock.monotonicMs()
    this.#cancelTimer = clock.after(Math.max(1, untilToken, untilResumed), () => {
      this.#cancelTimer = undefined
      this.#admit()
    })
  }

  #admit(): void {
    for (const priority of ORDER) {
      for (const waiter of this.#waiting[priority]) {
        if (!this.#take()) {
          this.#schedule()
          return
        }
        this.#waiting[priority].delete(waiter)
        waiter.go()
      }
    }
  }
}
