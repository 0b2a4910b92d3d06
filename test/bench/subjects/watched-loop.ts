import { existsSync, openSync, readSync } from 'node:fs'
import { systemClock } from '#base/clock.ts'
import { type Block, LoopProbe } from '#test/bench/loop-probe.ts'

const LOOK_EVERY_MS = 2

// Of the thread of the event loop: how long it was at work, and how long it waited for a core, in nanoseconds.
const THREAD = `/proc/self/task/${process.pid}/schedstat`
const thread = existsSync(THREAD) ? openSync(THREAD, 'r') : undefined
const bytes = Buffer.alloc(128)

/** Where nobody tells, it is as if it had never waited: that makes no turn shorter. */
function waitedMs(): number {
  if (thread === undefined) return 0
  const length = readSync(thread, bytes, 0, bytes.length, 0)
  return Number(bytes.toString('latin1', 0, length).split(' ')[1]) / 1e6
}

const look = () => ({ ms: performance.now(), waitedMs: waitedMs() })

/** Looks at the event loop of this program until it ends. */
export class WatchedLoop {
  readonly #probe = new LoopProbe(look())

  constructor() {
    this.#keepLooking()
  }

  /** The longest that it was blocked since this was last asked. */
  longestBlock(): Block {
    this.#probe.look(look())
    return this.#probe.take()
  }

  #keepLooking(): void {
    this.#probe.look(look())
    systemClock.after(LOOK_EVERY_MS, () => this.#keepLooking())
  }
}
