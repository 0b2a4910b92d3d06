import { onAbort } from './on-abort.ts'

/** Stops what was started. Calling it twice, or late, does nothing. */
export type Cancel = () => void

/**
 * Time as the program sees it: the real one, or one that tests drive. Whoever measures or waits takes
 * a clock; `Date.now` and the timers are used here and nowhere else.
 */
export interface Clock {
  /** The time of day. It may jump, in both directions. */
  now(): Date
  /** Milliseconds since some moment. It never jumps: durations and deadlines are measured with it. */
  monotonicMs(): number
  /** Calls back once, after the time has passed. Until then the process is kept alive. */
  after(delayMs: number, callback: () => void): Cancel
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) => {
    // A longer delay would overflow and fire at once.
    const timer = setTimeout(callback, Math.min(delayMs, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
}

/** Resolves after the time has passed; rejects with the signal's reason as soon as it aborts. */
export const sleep = (clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const cancel = clock.after(delayMs, () => {
      leave?.()
      resolve()
    })
    const leave =
      signal &&
      onAbort(signal, () => {
        cancel()
        reject(signal.reason)
      })
  })
