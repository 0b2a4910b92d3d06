import { paceOf } from '#apiserver/pace.ts'
import { atOnce, inTurns, type Steps } from '#apiserver/steps.ts'
import type { Seen, World } from './world.ts'

// What is smaller takes no time worth a pause.
const LARGE_BYTES = 64 * 1024

/**
 * Does something about each change in the order in which they come: about small ones at once, as long as there is time,
 * about large ones with pauses.
 */
export class InOrder {
  readonly #world: Pick<World, 'clock' | 'log'>
  readonly #note: (seen: Seen) => Steps<void>
  readonly #waiting: Seen[] = []
  #isBusy = false

  constructor(world: Pick<World, 'clock' | 'log'>, note: (seen: Seen) => Steps<void>) {
    this.#world = world
    this.#note = note
  }

  /** Throws what goes wrong with a change that is noted at once, and logs it otherwise. */
  add(seen: Seen): void {
    if (!this.#isBusy && !isLarge(seen) && !paceOf(this.#world.clock).isSpent) {
      atOnce(this.#note(seen))
      return
    }
    this.#waiting.push(seen)
    if (!this.#isBusy) void this.#work()
  }

  /** Forgets what waits. */
  stop(): void {
    this.#waiting.length = 0
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    const pace = paceOf(this.#world.clock)
    for (let seen = this.#waiting.shift(); seen; seen = this.#waiting.shift()) {
      try {
        await inTurns(pace, this.#note(seen))
      } catch (error) {
        this.#world.log.error('housekeeping failed', { key: seen.key, error: String(error) })
      }
    }
    this.#isBusy = false
  }
}

const isLarge = ({ value, previous }: Seen): boolean =>
  value.length > LARGE_BYTES || (previous?.value.length ?? 0) > LARGE_BYTES
