import type { Clock } from '#base/clock.ts'

/** Something that happened, in words without secrets. */
export interface Happening {
  readonly at: Date
  /** The address of the machine. */
  readonly machine: string
  readonly what: string
}

const KEPT = 10_000

/** What happened in a fleet, oldest first; only so much is remembered. */
export class History {
  readonly #clock: Clock
  #happenings: Happening[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get happenings(): readonly Happening[] {
    return this.#happenings
  }

  /** Of one machine. */
  of(machine: string): readonly Happening[] {
    return this.#happenings.filter((happening) => happening.machine === machine)
  }

  add(machine: string, what: string): void {
    this.#happenings.push({ at: this.#clock.now(), machine, what })
    // Forgets half at once: to move all of them each time would cost more than what happens.
    if (this.#happenings.length >= 2 * KEPT) this.#happenings = this.#happenings.slice(-KEPT)
  }
}
