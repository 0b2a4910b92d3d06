import { Chores } from '#apiserver/controllers/chores.ts'
import type { Housekeeper, Seen, World } from '#apiserver/controllers/world.ts'
import type { Cancel } from '#base/clock.ts'
import { messageOf } from '#base/operator-error.ts'

/** One part of a pretend control plane: it looks at things that changed, and does what follows. */
export interface Routine {
  readonly name: string
  /** What is to be looked at because of a change. */
  touchedBy(change: Seen): Iterable<string>
  /** Does what there is to do now; safe to repeat. Says in how many milliseconds to look again, if time alone changes something. */
  look(subject: string): Promise<number | undefined>
}

/**
 * Runs routines, one look at a time in the order of what happened: so the same changes lead to the same history. What
 * fails is tried again later. Nothing runs, and no timer waits, while nothing happens.
 */
export class Routines implements Housekeeper {
  readonly #world: World
  readonly #routines: ReadonlyMap<string, Routine>
  readonly #chores: Chores
  readonly #alarms = new Map<string, Cancel>()
  #isStopped = false

  constructor(world: World, routines: readonly Routine[]) {
    this.#world = world
    this.#routines = new Map(routines.map((one) => [one.name, one]))
    this.#chores = new Chores({
      clock: world.clock,
      run: (chore) => this.#run(chore),
      onError: (error, chore) => world.log.warn('not done yet', { chore, error: messageOf(error) }),
    })
  }

  see(change: Seen): void {
    for (const routine of this.#routines.values()) {
      for (const subject of routine.touchedBy(change)) this.touch(routine.name, subject)
    }
  }

  /** Lets a routine look at something, whatever happened. */
  touch(routine: string, subject: string): void {
    this.#chores.add(`${routine} ${subject}`)
  }

  stop(): void {
    this.#isStopped = true
    this.#chores.stop()
    for (const cancel of this.#alarms.values()) cancel()
    this.#alarms.clear()
  }

  async #run(chore: string): Promise<void> {
    const at = chore.indexOf(' ')
    this.#alarms.get(chore)?.()
    this.#alarms.delete(chore)
    const againInMs = await this.#routines.get(chore.slice(0, at))?.look(chore.slice(at + 1))
    if (againInMs === undefined || this.#isStopped) return
    const again = this.#world.clock.after(againInMs, () => {
      this.#alarms.delete(chore)
      this.#chores.add(chore)
    })
    this.#alarms.set(chore, again)
  }
}
