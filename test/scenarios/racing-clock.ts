import type { Cancel, Clock } from '#base/clock.ts'
import { LoopActivity } from './loop-activity.ts'

interface Timer {
  atMs: number
  order: number
  callback: () => void
}

interface Options {
  /** Nothing but this process has a part in it: nobody else's time counts, and no answer is late. */
  isAlone?: boolean
}

// Certificates are judged by the time of the computer, and ours live for a day: those that are made now
// and those that are made in half a day must be good at the same time.
const BEHIND_MS = 12 * 3_600_000
// Where no computer judges, every history begins at the same time, and may go on for as long as a cluster's keys last.
const ALONE_SINCE = new Date('2026-01-01T00:00:00Z')
const ALONE_MS = 9 * 365 * 24 * 3_600_000
/** Turns of the event loop in which nothing happened, before time goes on. */
const QUIET_TURNS = 6
/** The same while an answer is waited for, a millisecond each: the kernel may be late with it. */
const PATIENT_TURNS = 4

/**
 * A clock whose time jumps to the next timer whenever nothing happens in this thread. Hours take as long
 * as what happens in them. It stands still until it is started, and keeps within half a day unless it is alone.
 */
export class RacingClock implements Clock, Disposable {
  readonly #activity = new LoopActivity()
  readonly #timers = new Set<Timer>()
  readonly #isAlone: boolean
  readonly #startMs: number
  readonly #longestMs: number
  #elapsedMs = 0
  #order = 0
  #underWay = 0
  #quiet = 0
  #happened = 0
  #isOver = false

  constructor({ isAlone = false }: Options = {}) {
    this.#isAlone = isAlone
    this.#startMs = isAlone ? ALONE_SINCE.getTime() : Date.now() - BEHIND_MS
    this.#longestMs = isAlone ? ALONE_MS : BEHIND_MS
  }

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
    if (this.#isPatient || this.#activity.isElsewhere) setTimeout(() => this.#look(0), 1)
    else setImmediate(() => this.#look(1))
  }

  /** `own`: how many of the things that happened are the look itself. */
  #look(own: number): void {
    const { happened, isElsewhere } = this.#activity
    const isQuiet = happened - this.#happened <= own && !isElsewhere
    this.#happened = happened
    this.#quiet = isQuiet ? this.#quiet + 1 : 0
    if (this.#quiet >= (this.#isPatient ? PATIENT_TURNS : QUIET_TURNS)) this.#jump()
    this.#turn()
  }

  get #isPatient(): boolean {
    return this.#underWay > 0 && !this.#isAlone
  }

  #jump(): void {
    this.#quiet = 0
    const next = this.#next()
    if (!next) return
    this.#elapsedMs = Math.max(this.#elapsedMs, next.atMs)
    if (this.#elapsedMs > this.#longestMs) {
      const days = this.#longestMs / (24 * 3_600_000)
      throw new Error(`the clock ran for ${days} days: something waits in vain`)
    }
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
