import type { Cancel, Clock } from '#base/clock.ts'

const TICK_MS = 500

/**
 * How late the event loop has been lately: a timer that is due every half second is as late as the loop
 * was busy with one thing. Seen from inside, so it tells of what is over; a loop that stays blocked
 * answers no probe at all. Runs until it is disposed of.
 */
export class EventLoopLag implements Disposable {
  readonly #clock: Clock
  readonly #windowMs: number
  #dueMs = 0
  /** The worst of this half of the window, and of the half before it. */
  #worstMs = 0
  #previousMs = 0
  #halfEndsMs: number
  #cancel: Cancel = () => {}

  constructor({ clock, windowMs = 30_000 }: { clock: Clock; windowMs?: number }) {
    this.#clock = clock
    this.#windowMs = windowMs
    this.#halfEndsMs = clock.monotonicMs() + windowMs / 2
    this.#wait()
  }

  /** The worst within the window: within half of it for sure, and at most all of it. */
  get seconds(): number {
    return Math.max(this.#worstMs, this.#previousMs, this.#lateMs()) / 1_000
  }

  [Symbol.dispose](): void {
    this.#cancel()
  }

  #wait(): void {
    this.#dueMs = this.#clock.monotonicMs() + TICK_MS
    this.#cancel = this.#clock.after(TICK_MS, () => this.#tick())
  }

  #tick(): void {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs >= this.#halfEndsMs) {
      this.#previousMs = this.#worstMs
      this.#worstMs = 0
      this.#halfEndsMs = nowMs + this.#windowMs / 2
    }
    this.#worstMs = Math.max(this.#worstMs, this.#lateMs())
    this.#wait()
  }

  #lateMs(): number {
    return Math.max(0, this.#clock.monotonicMs() - this.#dueMs)
  }
}
