/** The longest that an event loop had no time for anything else. */
export interface Block {
  /** By the clock; on a busy machine the program may have waited for a core meanwhile. */
  ms: number
  /** At work, all its threads together, and by the clock no longer than that. */
  atWorkMs: number
}

export const NO_BLOCK: Block = { ms: 0, atWorkMs: 0 }

/** The longer of two, each measure for itself. */
const longer = (one: Block, other: Block): Block => ({
  ms: Math.max(one.ms, other.ms),
  atWorkMs: Math.max(one.atWorkMs, other.atWorkMs),
})

interface Look {
  ms: number
  cpuMs: number
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
    const atWorkMs = Math.min(ms, now.cpuMs - this.#last.cpuMs)
    this.#longest = longer(this.#longest, { ms, atWorkMs })
    this.#last = now
  }

  /** The longest since it was last taken. */
  take(): Block {
    const longest = this.#longest
    this.#longest = NO_BLOCK
    return longest
  }
}
