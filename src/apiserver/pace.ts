import type { Clock } from '#base/clock.ts'

// Whoever needs less is never interrupted; what is begun shortly before its end still leaves time enough.
const SLICE_MS = 5

/**
 * Shares the event loop among those who have much to do: in each turn of it there is time for so much, and who comes
 * later, or is not done by then, waits for a later turn, first come, first served.
 */
export class Pace {
  readonly #clock: Clock
  #endsAt: number | undefined
  readonly #waiting: (() => void)[] = []
  #isLaterTurn = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether this turn is used up: then wait until `later`. */
  get isSpent(): boolean {
    const now = this.#clock.monotonicMs()
    if (this.#endsAt === undefined) {
      this.#endsAt = now + SLICE_MS
      setImmediate(() => this.#nextTurn())
    }
    // While somebody waits this is in the past, but for the turn in which those who wait are served.
    return now >= this.#endsAt
  }

  /** Resolves when there is time again; whoever waits then works, without waiting for anything else before. */
  later(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #nextTurn(): void {
    if (this.#waiting.length === 0) {
      this.#endsAt = undefined
      this.#isLaterTurn = false
      return
    }
    // The first time this is called, the turn in which they began to wait is not over yet.
    if (this.#isLaterTurn) {
      this.#endsAt = this.#clock.monotonicMs() + SLICE_MS
      this.#serveNext(this.#endsAt)
    }
    this.#isLaterTurn = true
    setImmediate(() => this.#nextTurn())
  }

  /** Lets the next one go on, however late it is by then, and more if there is time. */
  #serveNext(endsAt: number): void {
    const goOn = this.#waiting.shift()
    if (!goOn) return
    goOn()
    // The one who goes on does so before this does.
    queueMicrotask(() => {
      if (this.#clock.monotonicMs() < endsAt) this.#serveNext(endsAt)
    })
  }
}

const paces = new WeakMap<Clock, Pace>()

/** The pace of all who live by a clock: they share one event loop. */
export function paceOf(clock: Clock): Pace {
  const known = paces.get(clock)
  if (known) return known
  const pace = new Pace(clock)
  paces.set(clock, pace)
  return pace
}
