import type { Cancel, Clock } from '#base/clock.ts'

interface Timer {
  at: number
  callback: () => void
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #elapsedMs = 0
  #wallMs: number
  #timers = new Set<Timer>()

  constructor(start = '2030-01-01T00:00:00Z') {
    this.#wallMs = Date.parse(start)
  }

  now(): Date {
    return new Date(this.#wallMs)
  }

  monotonicMs(): number {
    return this.#elapsedMs
  }

  after(delayMs: number, callback: () => void): Cancel {
    const timer = { at: this.#elapsedMs + delayMs, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** How many timers wait. A test that ends with some has left something running. */
  get waiting(): number {
    return this.#timers.size
  }

  /** The time of day jumps, as when somebody sets the clock; durations are not affected. */
  jump(ms: number): void {
    this.#wallMs += ms
  }

  /** Lets time pass, timer by timer; what each one sets off happens before the next one fires. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsedMs + ms
    for (let timer = this.#next(end); timer; timer = this.#next(end)) {
      this.#move(timer.at)
      this.#timers.delete(timer)
      timer.callback()
      await settled()
    }
    this.#move(end)
    await settled()
  }

  #next(end: number): Timer | undefined {
    const due = [...this.#timers].filter(({ at }) => at <= end)
    return due.sort((a, b) => a.at - b.at)[0]
  }

  #move(to: number): void {
    this.#wallMs += Math.max(0, to - this.#elapsedMs)
    this.#elapsedMs = Math.max(this.#elapsedMs, to)
  }
}

/** Resolves when everything that needs no time and no I/O has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
