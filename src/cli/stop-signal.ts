import type { Clock } from '#base/clock.ts'

// Kubernetes kills after 30 s. Who is still busy then has not stopped on its own terms.
const LONGEST_STOP_MS = 25_000

/** Whether the process is asked to stop. To be disposed of when it has. */
interface StopSignal extends Disposable {
  readonly signal: AbortSignal
}

/**
 * A signal that aborts with the first SIGTERM or SIGINT, or another one that is named, which is then its
 * reason. With the second, or when stopping takes too long, the process ends at once.
 */
export function stopSignal(clock: Clock, ...others: readonly 'SIGHUP'[]): StopSignal {
  const stop = new AbortController()
  const names = ['SIGTERM', 'SIGINT', ...others] as const
  let cancel = () => {}
  const onSignal = (name: string) => {
    if (stop.signal.aborted) process.exit(1)
    cancel = clock.after(LONGEST_STOP_MS, () => process.exit(1))
    stop.abort(new Error(`got ${name}`))
  }
  for (const name of names) process.on(name, onSignal)
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      cancel()
      for (const name of names) process.off(name, onSignal)
    },
  }
}
