import type { Cancel, Clock } from '#base/clock.ts'
import { LoopActivity } from './loop-activity.ts'

interface Timer {
  atMs: number
  order: number
  callback: () => void
}

// Certificates are judged by the time of the computer, and ours live for a day: those that are made now
// and those that are made in half a day must be good at the same time.
const BEHIND_MS = 12 * 3_600_000
/** Turns of the event loop in which nothing happened, before time goes on. */
const QUIET_TURNS = 6
/** The same while an answer is waited for, a millisecond each: the kernel may be late with it. */
const PATIENT_TURNS = 4

/**
 * A clock whose time jumps to the next timer whenever nothing happens in this thread. Hours take as long
 * as what happens in them. It stands still until it is started, and keeps within half a day.
 */
export class RacingClock implements Clock, Disposable {
  readonly #activity = new LoopActivity()
  readonly #timers = new Set<Timer>()
  readonly #startMs = Date.now() - BEHIND_MS
  #elapsedMs = 0
  #order = 0
  #underWay = 0
  #quiet = 0
  #happened = 0
  #isOver = false

  /** From now on, until it is disposed of. */
  start(): void {
    this.#turn()
  }

  now(): Date {
    return new Date(this.#startMs + this.#elapsedMs)
  }

  monotonicMs(): number {
    return this.#elapsedMs
  }

  after(delayMs: number, callback: () => void): Cancel {
    const timer = { atMs: this.#elapsedMs + Math.max(0, delayMs), order: ++this.#order, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Does what may get no answer: time goes on all the same, but not before some patience. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#underWay++
    try {
      return await work()
    } finally {
      this.#underWay--
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.#activity[Symbol.dispose]()
  }

  #turn(): void {
    if (this.#isOver) return
    const isPatient = this.#underWay > 0 || this.#activity.isElsewhere
    if (isPatient) setTimeout(() => this.#look(0), 1)
    else setImmediate(() => this.#look(1))
  }

  /** `own`: how many of the things that happened are the look itself. */
  #look(own: number): void {
    const { happened, isElsewhere } = this.#activity
    const isQuiet = happened - this.#happened <= own && !isElsewhere
    this.#happened = happened
    this.#quiet = isQuiet ? this.#quiet + 1 : 0
    if (this.#quiet >= (this.#underWay > 0 ? PATIENT_TURNS : QUIET_TURNS)) this.#jump()
    this.#turn()
  }

  #jump(): void {
    this.#quiet = 0
    const next = this.#next()
    if (!next) return
    this.#elapsedMs = Math.max(this.#elapsedMs, next.atMs)
    if (this.#elapsedMs > BEHIND_MS)
      throw new Error('the clock ran for half a day: something waits in vain')
    this.#timers.delete(next)
    next.callback()
  }

  #next(): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      const isSooner =
        !next || timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.order < next.order)
      if (isSooner) next = timer
    }
    return next
  }
}
