import { onAbort } from '#base/on-abort.ts'

/** Gives the slot back. Calling it twice does nothing. */
export type Release = () => void

interface Waiter {
  group: string
  go: () => void
}

interface Limits {
  /** How many slots there are. */
  atOnce: number
  /** How many of them one group may have, so that one whose machines are dead does not stop the others. */
  perGroup: number
}

/** So many at once and no more, first come first served among those whose group has room. */
export class Slots {
  readonly #limits: Limits
  readonly #taken = new Map<string, number>()
  readonly #waiting = new Set<Waiter>()
  #total = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Whether somebody who came now would have to wait. */
  get isFull(): boolean {
    return this.#total >= this.#limits.atOnce
  }

  /** Resolves when there is room; rejects with the signal's reason when that aborts first. */
  async take(group: string, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted()
    if (this.#hasRoom(group)) this.#enter(group)
    else await this.#wait(group, signal)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#leave(group)
    }
  }

  #hasRoom(group: string): boolean {
    return !this.isFull && (this.#taken.get(group) ?? 0) < this.#limits.perGroup
  }

  #enter(group: string): void {
    this.#total += 1
    this.#taken.set(group, (this.#taken.get(group) ?? 0) + 1)
  }

  #leave(group: string): void {
    this.#total -= 1
    const left = (this.#taken.get(group) ?? 1) - 1
    if (left === 0) this.#taken.delete(group)
    else this.#taken.set(group, left)
    for (const waiter of this.#waiting) {
      if (this.isFull) return
      if (!this.#hasRoom(waiter.group)) continue
      this.#waiting.delete(waiter)
      this.#enter(waiter.group)
      waiter.go()
    }
  }

  #wait(group: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = onAbort(signal, () => {
        this.#waiting.delete(waiter)
        reject(signal.reason)
      })
      const waiter: Waiter = {
        group,
        go: () => {
          stop()
          resolve()
        },
      }
      this.#waiting.add(waiter)
    })
  }
}
