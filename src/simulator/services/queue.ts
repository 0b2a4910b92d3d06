import { onAbort } from '#base/on-abort.ts'

// A caller that reads nothing while this much happens is told no more.
const LONGEST = 10_000

/** What happens elsewhere, for a stream that tells it one by one. */
export interface Queue<T> {
  push(item: T): void
  /** What was pushed and not read, then what will be, until the signal aborts or too much waits. */
  read(signal: AbortSignal): AsyncIterable<readonly T[]>
}

/** A queue between somebody who is told and somebody who reads. */
export function createQueue<T>(): Queue<T> {
  let waiting: T[] = []
  let isFull = false
  let wake = () => {}
  return {
    push: (item) => {
      isFull ||= waiting.length >= LONGEST
      if (!isFull) waiting.push(item)
      wake()
    },
    async *read(signal) {
      const leave = onAbort(signal, () => wake())
      try {
        while (!signal.aborted && !isFull) {
          const items = waiting
          waiting = []
          if (items.length > 0) yield items
          else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        leave()
      }
    },
  }
}
