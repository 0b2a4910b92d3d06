/** The longest that an event loop had no time for anything else. */
export interface Block {
  /** By the clock. */
  ms: number
  /** Without the time in which its thread was ready to go on, and others had the cores. */
  ownMs: number
}

export const NO_BLOCK: Block = { ms: 0, ownMs: 0 }

/** The longer of two, each measure for itself. */
export const longer = (one: Block, other: Block): Block => ({
  ms: Math.max(one.ms, other.ms),
  ownMs: Math.max(one.ownMs, other.ownMs),
})

interface Look {
  ms: number
  /** How long its thread has waited for a core since it began. */
  waitedMs: number
}

/** Is told of the time in every turn of an event loop, or nearly, and finds the longest between two. */
export class LoopProbe {
  #last: Look
  #longest = NO_BLOCK

  constructor(now: Look) {
    this.#last = now
  }

  look(now: Look): void {
    const ms = now.ms - this.#last.ms
    const ownMs = ms - (now.waitedMs - this.#last.waitedMs)
    this.#longest = longer(this.#longest, { ms, ownMs })
    this.#last = now
  }

  /** The longest since it was last taken. */
  take(): Block {
    const longest = this.#longest
    this.#longest = NO_BLOCK
    return longest
  }
}
