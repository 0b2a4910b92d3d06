import { createHook } from 'node:async_hooks'
import type { Activity } from './racing-clock.ts'

// Done by other threads: while one of these is under way, this thread has something to wait for.
const FILES = /^(FSREQ|GETADDRINFO|GETNAMEINFO)/
const CRYPTO =
  /^(KEYPAIRGEN|KEYGEN|KEYEXPORT|SIGN|HASH|CIPHER|DERIVEBITS|RANDOMBYTES|SCRYPT|PBKDF2)/
// What follows from something else, and what only measures time.
const FOLLOWS = new Set(['PROMISE', 'TickObject', 'Microtask', 'Timeout'])

/** Sees whether anything happens in this thread: bytes that come and go, work that other threads do for it. */
export class LoopActivity implements Activity {
  readonly quietTurns = 6
  readonly #elsewhere = new Map<number, object>()
  readonly #outside = new Set<number>()
  readonly #immediates = new Set<number>()
  #happened = 0
  #happenedBefore = 0
  readonly #hook = createHook({
    // biome-ignore lint/complexity/useMaxParams: Node calls it with these
    init: (id, type, _trigger, resource) => {
      if (FOLLOWS.has(type)) return
      if (type === 'Immediate') this.#immediates.add(id)
      else if (FILES.test(type) || CRYPTO.test(type)) this.#elsewhere.set(id, resource)
      else this.#outside.add(id)
    },
    before: (id) => {
      if (this.#immediates.delete(id) || this.#elsewhere.delete(id) || this.#outside.has(id)) {
        this.#happened++
      }
    },
  })

  constructor() {
    this.#hook.enable()
  }

  isStill(own: number): boolean {
    const happened = this.#happened - this.#happenedBefore
    this.#happenedBefore = this.#happened
    return happened <= own
  }

  get isElsewhere(): boolean {
    for (const [id, resource] of this.#elsewhere) {
      // Without anybody to tell, it was done at once, by this thread.
      const isAwaited = 'ondone' in resource || 'oncomplete' in resource || 'promise' in resource
      if (isAwaited) return true
      this.#elsewhere.delete(id)
    }
    return false
  }

  [Symbol.dispose](): void {
    this.#hook.disable()
  }
}
