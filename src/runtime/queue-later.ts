import type { Clock } from '#base/clock.ts'
import { Heap, type Timed } from './queue-heap.ts'

// How late a wake may be after the time of day jumped forward, as it does when a laptop wakes up.
const LOOK_AGAIN_MS = 60_000
// Less is drift, which the next pass corrects by stating its time anew.
const JUMP_MS = 1_000

/**
 * What is due later: retries after a duration, wakes at a time of day. When the time of day jumps
 * forward, wakes come with it; when it jumps back they come after the duration that was meant. So a
 * wake may be early, which costs a look, and is never later than a minute.
 */
export class Later<T> {
  #clock: Clock
  #retries = new Heap<T>()
  #wakes = new Heap<T>()
  #timeOfDayAheadMs: number
  #jumpedMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#timeOfDayAheadMs = this.#aheadMs()
  }

  /** Due when the clock's `monotonicMs` reaches `atMs`. */
  addRetry(value: T, atMs: number): Timed<T> {
    return this.#retries.add(value, atMs)
  }

  /** Due at a time that `wakeTimeOf` gave. */
  addWake(value: T, at: number): Timed<T> {
    return this.#wakes.add(value, at)
  }

  /** A time of day as wakes are compared with one another. Refuses what is no date. */
  wakeTimeOf(date: Date): number {
    const delayMs = date.getTime() - this.#clock.now().getTime()
    if (Number.isNaN(delayMs)) throw new RangeError('a wake time must be a valid date')
    return this.wakeTimeIn(delayMs)
  }

  /** The same, so long from now. */
  wakeTimeIn(delayMs: number): number {
    return this.#wakeNow() + delayMs
  }

  removeRetry(entry: Timed<T>): void {
    this.#retries.remove(entry)
  }

  removeWake(entry: Timed<T>): void {
    this.#wakes.remove(entry)
  }

  /** A retry whose time has come. It stays until it is removed. */
  get dueRetry(): T | undefined {
    const { first } = this.#retries
    return first && first.at <= this.#clock.monotonicMs() ? first.value : undefined
  }

  /** A wake whose time has come. It stays until it is removed. */
  get dueWake(): T | undefined {
    const { first } = this.#wakes
    return first && first.at <= this.#wakeNow() ? first.value : undefined
  }

  /** How long nobody needs to look; infinite when nothing is due ever. */
  get quietMs(): number {
    const retryMs = (this.#retries.first?.at ?? Infinity) - this.#clock.monotonicMs()
    const { first } = this.#wakes
    const wakeMs = first ? Math.min(first.at - this.#wakeNow(), LOOK_AGAIN_MS) : Infinity
    return Math.max(0, Math.min(retryMs, wakeMs))
  }

  // Wakes are kept on a scale of their own, monotonic time plus all jumps forward: a jump moves
  // every one of them without touching any.
  #wakeNow(): number {
    const jumpMs = this.#aheadMs() - this.#timeOfDayAheadMs
    if (Math.abs(jumpMs) > JUMP_MS) {
      this.#timeOfDayAheadMs += jumpMs
      this.#jumpedMs += Math.max(0, jumpMs)
    }
    return this.#clock.monotonicMs() + this.#jumpedMs
  }

  #aheadMs(): number {
    return this.#clock.now().getTime() - this.#clock.monotonicMs()
  }
}
