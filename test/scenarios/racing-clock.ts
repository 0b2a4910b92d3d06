import type { Cancel, Clock } from '#base/clock.ts'
import { LoopActivity } from './loop-activity.ts'
import { OwnTurns } from './own-turns.ts'

/** Sees what happens in this thread. */
export interface Activity extends Disposable {
  /** Turns of the event loop in which nothing happened, before time may go on. */
  readonly quietTurns: number
  /** Whether another thread works for this one. */
  readonly isElsewhere: boolean
  /** Whether nothing has happened since the last time, and nothing is about to. `own`: how much of it is the look itself. */
  isStill(own: number): boolean
}

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
/** How many turns it has to be quiet while an answer is waited for, a millisecond each: the kernel may be late with it. */
const PATIENT_TURNS = 4

/**
 * A clock whose time jumps to the next timer whenever nothing happens in this thread. Hours take as long
 * as what happens in them. It stands still until it is started, and keeps within half a day unless it is alone.
 */
export class RacingClock implements Clock, Disposable {
  readonly #activity: Activity
  readonly #timers = new Set<Timer>()
  readonly #isAlone: boolean
  readonly #startMs: number
  readonly #longestMs: number
  #elapsedMs = 0
  #order = 0
  #underWay = 0
  #elsewhere = 0
  #quiet = 0
  #isOver = false

  constructor({ isAlone = false }: Options = {}) {
    this.#isAlone = isAlone
    this.#activity = isAlone ? new OwnTurns() : new LoopActivity()
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

  /** Does what other threads have a part in: no time goes on before it is done. */
  async elsewhere<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#elsewhere++
    try {
      return await work()
    } finally {
      this.#elsewhere--
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.#activity[Symbol.dispose]()
  }

  #turn(): void {
    if (this.#isOver) return
    if (this.#isPatient || this.#isElsewhere) setTimeout(() => this.#look(0), 1)
    else setImmediate(() => this.#look(1))
  }

  #look(own: number): void {
    const isStill = this.#activity.isStill(own) && !this.#isElsewhere
    this.#quiet = isStill ? this.#quiet + 1 : 0
    if (this.#quiet >= (this.#isPatient ? PATIENT_TURNS : this.#activity.quietTurns)) this.#jump()
    this.#turn()
  }

  get #isElsewhere(): boolean {
    return this.#elsewhere > 0 || this.#activity.isElsewhere
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
