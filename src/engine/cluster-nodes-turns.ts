import type { Cancel, Clock } from '#base/clock.ts'
import { onAbort } from '#base/on-abort.ts'

// A connection costs milliseconds of CPU: those of a thousand clusters are not all made at once. Made
// faster than they can be, none would be made in time, and all would be made again.
const BETWEEN_MS = 20
const MOST_AT_ONCE = 8
// Whoever takes longer waits for somebody else, and needs no CPU for that.
const LONGEST_MS = 1_000

type Waiter = (endTurn: Cancel) => void

/** Who may connect next. Those of whom an answer is to be expected go before those who do not answer. */
export class Turns {
  readonly #clock: Clock
  readonly #hopeful = new Set<Waiter>()
  readonly #others = new Set<Waiter>()
  #underWay = 0
  #isResting = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Resolves when it is the caller's turn, with what ends it. A turn ends by itself after a second.
   * Rejects with the signal's reason when it aborts first.
   */
  async take(isHopeful: boolean, signal: AbortSignal): Promise<Cancel> {
    signal.throwIfAborted()
    const waiting = isHopeful ? this.#hopeful : this.#others
    return new Promise((resolve, reject) => {
      const waiter = (endTurn: Cancel) => {
        leave()
        resolve(endTurn)
      }
      const leave = onAbort(signal, () => {
        waiting.delete(waiter)
        reject(signal.reason)
      })
      waiting.add(waiter)
      this.#next()
    })
  }

  #begin(): Cancel {
    this.#underWay += 1
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      cancel()
      this.#underWay -= 1
      this.#next()
    }
    const cancel = this.#clock.after(LONGEST_MS, end)
    return end
  }

  #next(): void {
    if (this.#isResting || this.#underWay >= MOST_AT_ONCE) return
    const waiting = this.#hopeful.size > 0 ? this.#hopeful : this.#others
    const [waiter] = waiting
    if (!waiter) return
    waiting.delete(waiter)
    this.#isResting = true
    this.#clock.after(BETWEEN_MS, () => {
      this.#isResting = false
      this.#next()
    })
    waiter(this.#begin())
  }
}
