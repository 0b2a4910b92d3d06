import { onAbort } from './on-abort.ts'

interface Run<Result> {
  result: Promise<Result>
  stop: AbortController
  waiting: number
}

/**
 * Makes callers who ask at the same time share one run of the work. Each may leave through its own
 * signal; the work is aborted only when the last has left.
 */
export function shareRuns<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): (signal: AbortSignal) => Promise<Result> {
  let current: Run<Result> | undefined

  return async (signal) => {
    signal.throwIfAborted()
    if (!current) {
      const stop = new AbortController()
      current = { result: work(stop.signal), stop, waiting: 0 }
    }
    const run = current
    run.waiting++
    let isDone = false
    try {
      const result = await untilAborted(run.result, signal)
      isDone = true
      return result
    } finally {
      run.waiting--
      if (run.waiting === 0) {
        // Before the abort: whoever comes next must not join a run that is being stopped.
        current = undefined
        // What is done cannot be stopped, and to abort makes an error with a stack.
        if (!isDone) run.stop.abort()
      }
    }
  }
}

/** What the promise yields, or the signal's reason as soon as that aborts. */
export const untilAborted = <Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason))
    promise.then(
      (result) => {
        leave()
        resolve(result)
      },
      (error) => {
        leave()
        reject(error)
      },
    )
  })
