import type { Cancel, Clock } from '#base/clock.ts'
import { type Release, Slots } from './slots.ts'

// A timer that rings this much too late rings in a process that has too much to do.
const LATE_MS = 50

// Of the last few dials, none decides alone.
const WEIGHT = 1 / 16
// Whoever takes this many times as long as the others do is hardly one of those that answer.
const LONGER = 4

/** How many dials may be under way to machines that may answer at any moment. */
export interface HandshakeLimits {
  /** How many dials may be new: a machine that answers does so at once, and takes 5 ms of our CPU. */
  handshakesAtOnce: number
  /**
   * How long a dial is new: as long as those that are answered lately take, and some more, within these bounds. Where
   * nobody answers it is the least, or many that are off would wait for each other before anybody is told of them.
   */
  handshakeMs: { least: number; most: number }
}

/** A dial that may begin. */
interface Turn {
  /** Says that it was answered. */
  answered: () => void
  /** Says that it is over, either way. */
  over: Release
}

interface Surroundings {
  clock: Clock
  /** Whether those who have been answered wait for a place. */
  isCrowded: () => boolean
}

/** Turns of new dials. Whoever does not answer at once gives its turn to the next, and is waited for besides. */
export class Handshakes {
  readonly #clock: Clock
  readonly #isCrowded: () => boolean
  readonly #newMs: HandshakeLimits['handshakeMs']
  readonly #slots: Slots
  #averageMs = 0

  constructor(
    { clock, isCrowded }: Surroundings,
    { handshakesAtOnce, handshakeMs }: HandshakeLimits,
  ) {
    this.#clock = clock
    this.#isCrowded = isCrowded
    this.#newMs = handshakeMs
    this.#slots = new Slots({ atOnce: handshakesAtOnce, perGroup: handshakesAtOnce })
  }

  /** Resolves when a dial may begin. */
  async take(signal: AbortSignal): Promise<Turn> {
    const release = await this.#slots.take('', signal)
    const cancel = this.#whenQuiet(release)
    const startMs = this.#clock.monotonicMs()
    return {
      answered: () => {
        const tookMs = this.#clock.monotonicMs() - startMs
        this.#averageMs += (tookMs - this.#averageMs) * WEIGHT
      },
      over: () => {
        cancel()
        release()
      },
    }
  }

  /**
   * While we are late ourselves, nobody knows who does not answer: more dials would make us later still. And while
   * connections that came about wait for a place, more of them would only take memory.
   */
  #whenQuiet(release: Release): Cancel {
    const { least, most } = this.#newMs
    const newMs = Math.min(most, Math.max(least, this.#averageMs * LONGER))
    const dueMs = this.#clock.monotonicMs() + newMs
    let cancel = this.#clock.after(newMs, () => {
      const isLate = this.#clock.monotonicMs() - dueMs > LATE_MS
      if (isLate || this.#isCrowded()) cancel = this.#whenQuiet(release)
      else release()
    })
    return () => cancel()
  }
}
