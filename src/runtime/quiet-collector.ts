import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import type { Cancel, Clock } from '#base/clock.ts'

const LOOK_EVERY_MS = 30_000
// With more to do than this, nobody should wait for it, and what is freed would be taken again at once.
const QUIET_PART = 1 / 10
// Less is not worth the time that it takes, and the more there is in use, the longer it takes. What V8 compiled for
// what is not there at that moment is lost as well.
const WORTH = { bytes: 6 * 1024 * 1024, part: 1 / 10 }

// To move together what is left takes twice as long as to collect the rest, and at rest gives next to nothing back.
const WORTH_MOVING = { bytes: 8 * 1024 * 1024, part: 1 / 5 }

interface Process {
  /** Collects all garbage there is. */
  collect: () => void
  /** The same, and gives back the room that it took. */
  compact: () => void
  /** How much room the heap takes, used or not. */
  heldBytes: () => number
  /** How much of the heap is in use, garbage or not. */
  usedBytes: () => number
  /** Which part of the time the process was busy, since it was last asked. */
  busyPart: () => number
}

/**
 * Collects garbage when there is nothing else to do. V8 does so when the heap has grown by so much, and a process
 * that brought a hundred clusters up and is now at rest would hold what that took for hours.
 */
export class QuietCollector implements Disposable {
  readonly #clock: Clock
  readonly #process: Process
  #leftBytes = 0
  #cancel: Cancel

  constructor(clock: Clock, process: Process) {
    this.#clock = clock
    this.#process = process
    this.#cancel = this.#later()
  }

  [Symbol.dispose](): void {
    this.#cancel()
  }

  #later(): Cancel {
    return this.#clock.after(LOOK_EVERY_MS, () => {
      this.#look()
      this.#cancel = this.#later()
    })
  }

  #look(): void {
    const { collect, compact, usedBytes, heldBytes, busyPart } = this.#process
    const isQuiet = busyPart() < QUIET_PART
    const isWorthIt = isMuch(usedBytes() - this.#leftBytes, WORTH, this.#leftBytes)
    if (!isQuiet || !isWorthIt) return
    collect()
    if (isMuch(heldBytes() - usedBytes(), WORTH_MOVING, usedBytes())) compact()
    this.#leftBytes = usedBytes()
  }
}

const isMuch = (bytes: number, than: typeof WORTH, inUse: number): boolean =>
  bytes > Math.max(than.bytes, inUse * than.part)

/**
 * Has V8 move together what is left, and give back the rest. Without being told, it takes three collections for that: of
 * 71 MB in which 19 were in use, all were kept by the first one, and 28 by this.
 */
function compactly(collect: () => void): void {
  setFlagsFromString('--compact-on-every-full-gc')
  collect()
  setFlagsFromString('--no-compact-on-every-full-gc')
}

/** This process; undefined where Node was not started with `--expose-gc`. */
export function ownProcess(): Process | undefined {
  const { gc } = globalThis
  if (!gc) return undefined
  let last = performance.eventLoopUtilization()
  return {
    collect: () => gc(),
    compact: () => compactly(gc),
    usedBytes: () => process.memoryUsage().heapUsed,
    heldBytes: () => process.memoryUsage().heapTotal,
    busyPart: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
  }
}
