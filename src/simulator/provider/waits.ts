import type { Cancel, Clock } from '#base/clock.ts'

interface Wait {
  isOver: boolean
  cancel: Cancel
}

/** Time that has to pass before something goes on, once for each subject and reason. */
export class Waits {
  readonly #onOver: (subject: string) => void
  readonly #waits = new Map<string, Map<string, Wait>>()

  /** Told of each subject whose time is over. */
  constructor(onOver: (subject: string) => void) {
    this.#onOver = onOver
  }

  /** Whether so much time has passed since this was first asked. */
  isOver(subject: string, reason: string, { clock, ms }: { clock: Clock; ms: number }): boolean {
    const known = this.#waits.get(subject) ?? new Map<string, Wait>()
    this.#waits.set(subject, known)
    const wait = known.get(reason)
    if (wait) return wait.isOver
    if (ms <= 0) return true
    const begun: Wait = { isOver: false, cancel: () => {} }
    begun.cancel = clock.after(ms, () => {
      begun.isOver = true
      this.#onOver(subject)
    })
    known.set(reason, begun)
    return false
  }

  /** The subject is gone, or waits for this anew. */
  forget(subject: string, reason?: string): void {
    const known = this.#waits.get(subject) ?? new Map<string, Wait>()
    for (const [one, { cancel }] of [...known]) {
      if (reason !== undefined && one !== reason) continue
      cancel()
      known.delete(one)
    }
    if (known.size === 0) this.#waits.delete(subject)
  }

  stop(): void {
    for (const subject of [...this.#waits.keys()]) this.forget(subject)
  }
}
