import type { Cancel, Clock } from '#base/clock.ts'
import { type Release, Slots } from './slots.ts'

// A timer that rings this much too late rings in a process that has too much to do.
const LATE_MS = 50

/** How many dials may be under way to machines that may answer at any moment. */
export interface HandshakeLimits {
  /** How many dials may be new: a machine that answers does so at once, and takes 5 ms of our CPU. */
  handshakesAtOnce: number
  /** How long a dial is new. */
  handshakeMs: number
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
  readonly #newMs: number
  readonly #slots: Slots

  constructor(
    { clock, isCrowded }: Surroundings,
    { handshakesAtOnce, handshakeMs }: HandshakeLimits,
  ) {
    this.#clock = clock
    this.#isCrowded = isCrowded
    this.#newMs = handshakeMs
    this.#slots = new Slots({ atOnce: handshakesAtOnce, perGroup: handshakesAtOnce })
  }

  /** Resolves when a dial may begin, with what to call when it is over. */
  async take(signal: AbortSignal): Promise<Release> {
    const release = await this.#slots.take('', signal)
    const cancel = this.#whenQuiet(release)
    return () => {
      cancel()
      release()
    }
  }

  /**
   * While we are late ourselves, nobody knows who does not answer: more dials would make us later still. And while
   * connections that came about wait for a place, more of them would only take memory.
   */
  #whenQuiet(release: Release): Cancel {
    const dueMs = this.#clock.monotonicMs() + this.#newMs
    let cancel = this.#clock.after(this.#newMs, () => {
      const isLate = this.#clock.monotonicMs() - dueMs > LATE_MS
      if (isLate || this.#isCrowded()) cancel = this.#whenQuiet(release)
      else release()
    })
    return () => cancel()
  }
}
