import type { Cancel, Clock } from '#base/clock.ts'
import { onAbort } from '#base/on-abort.ts'

/**
 * Who goes first when calls have to wait: what a user looks at, the rest, what can wait. A `lease`
 * never waits: who cannot renew one has to stop working.
 */
export type Priority = 'lease' | 'user' | 'normal' | 'background'

const ORDER: readonly Priority[] = ['lease', 'user', 'normal', 'background']

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

interface Queue {
  waiting: Set<{ go: () => void }>
  pausedUntilMs: number
}

/**
 * Spreads the calls to one API server, so that we are never the client that wears it out. A server
 * that asks to be left alone gets its pause, from those whom it refused and from the less important.
 */
export class Limiter {
  readonly #options: LimiterOptions
  readonly #queues: Record<Priority, Queue> = {
    lease: newQueue(),
    user: newQueue(),
    normal: newQueue(),
    background: newQueue(),
  }
  #tokens: number
  #filledAtMs: number
  #underWay = 0
  #timer: { atMs: number; cancel: Cancel } | undefined

  constructor(options: LimiterOptions) {
    this.#options = options
    this.#tokens = options.burst
    this.#filledAtMs = options.clock.monotonicMs()
  }

  /** How many calls wait for their turn. */
  get waiting(): number {
    return ORDER.reduce((sum, priority) => sum + this.#queues[priority].waiting.size, 0)
  }

  /**
   * Resolves when the call may be made, with what must be called when it is over. Rejects with the
   * signal's reason when it aborts first.
   */
  async turn(priority: Priority, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted()
    const isBehind = upTo(priority).some((one) => this.#queues[one].waiting.size > 0)
    if (isBehind || !this.#take(priority)) await this.#wait(priority, signal)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#underWay -= 1
      this.#admit()
    }
  }

  /** No call of this priority or a lower one is made before this time has passed. */
  pause(priority: Priority, ms: number): void {
    const untilMs = this.#options.clock.monotonicMs() + ms
    for (const one of ORDER.slice(ORDER.indexOf(priority))) {
      const queue = this.#queues[one]
      queue.pausedUntilMs = Math.max(queue.pausedUntilMs, untilMs)
    }
  }

  async #wait(priority: Priority, signal: AbortSignal): Promise<void> {
    const { waiting } = this.#queues[priority]
    await new Promise<void>((resolve, reject) => {
      const leave = onAbort(signal, () => {
        waiting.delete(waiter)
        reject(signal.reason)
      })
      const waiter = {
        go: () => {
          leave()
          resolve()
        },
      }
      waiting.add(waiter)
      this.#schedule()
    })
  }

  #take(priority: Priority): boolean {
    if (priority !== 'lease' && this.#untilFreeMs(priority) > 0) return false
    this.#tokens -= 1
    this.#underWay += 1
    return true
  }

  /** How long until a call of this priority may be made; for ever, until one that is made is over. */
  #untilFreeMs(priority: Priority): number {
    const { clock, perSecond, burst, atOnce } = this.#options
    const now = clock.monotonicMs()
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAtMs) / 1_000) * perSecond)
    this.#filledAtMs = now
    if (this.#underWay >= atOnce) return Number.POSITIVE_INFINITY
    const untilTokenMs = ((1 - this.#tokens) / perSecond) * 1_000
    return Math.max(0, untilTokenMs, this.#queues[priority].pausedUntilMs - now)
  }

  /** Sets the timer for whoever is first. Those behind are never free before. */
  #schedule(): void {
    const first = ORDER.find((priority) => this.#queues[priority].waiting.size > 0)
    const untilMs = first ? this.#untilFreeMs(first) : Number.POSITIVE_INFINITY
    if (untilMs === Number.POSITIVE_INFINITY) return
    const { clock } = this.#options
    const atMs = clock.monotonicMs() + Math.max(1, untilMs)
    // A timer that is due before is left alone: set anew by each who comes, it would never ring.
    if (this.#timer && this.#timer.atMs <= atMs) return
    this.#timer?.cancel()
    const cancel = clock.after(atMs - clock.monotonicMs(), () => {
      this.#timer = undefined
      this.#admit()
    })
    this.#timer = { atMs, cancel }
  }

  #admit(): void {
    for (const priority of ORDER) {
      const { waiting } = this.#queues[priority]
      for (const waiter of waiting) {
        if (!this.#take(priority)) {
          // Whoever is behind is not free either.
          this.#schedule()
          return
        }
        waiting.delete(waiter)
        waiter.go()
      }
    }
  }
}

const newQueue = (): Queue => ({ waiting: new Set(), pausedUntilMs: 0 })

const upTo = (priority: Priority): readonly Priority[] =>
  ORDER.slice(0, ORDER.indexOf(priority) + 1)
