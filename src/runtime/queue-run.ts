import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises'
import type { Cancel, Clock } from '#base/clock.ts'

/**
 * When to look next: at a time, `again` at once, or when something changes. Each pass states it anew;
 * what an earlier pass said no longer counts.
 */
export type Wake = Date | 'again' | undefined

/** One pass over one key. What it throws is a failure, and tried again with backoff. */
export type Pass = (key: string, signal: AbortSignal) => Promise<Wake>

/** How a queue is run, and what ends it. */
export interface RunOptions {
  /** The most passes at once. */
  concurrency: number
  /** Ends the run: nothing more is taken, those that run see it abort and are waited for. */
  signal: AbortSignal
  /** Told of each failure, after it was counted. Must not throw. */
  onError: (key: string, error: unknown) => void
}

/** What a run needs of a queue. */
export interface Source {
  readonly clock: Clock
  /** How long nothing becomes due by itself. */
  readonly quietMs: number
  take(): string | undefined
  succeeded(key: string, wake: Wake): void
  failed(key: string): void
  /** Calls back whenever there may be more to take, or sooner than `quietMs` said. */
  listen(callback: () => void): Cancel
}

// Passes that find nothing to do need no I/O. Without a rest, a resync of thousands of those would
// keep every socket and timer waiting until the last is done.
const PASSES_BETWEEN_RESTS = 64

/** Passes over what a queue has to offer until the signal aborts; resolves when the last has ended. */
export async function runPasses(source: Source, pass: Pass, options: RunOptions): Promise<void> {
  const { concurrency, signal } = options
  const running = new Set<Promise<void>>()
  let ring = () => {}
  const onRing = () => ring()
  const start = (key: string) => {
    const one = onePass(key).finally(() => {
      running.delete(one)
      ring()
    })
    running.add(one)
  }
  const onePass = async (key: string) => {
    try {
      source.succeeded(key, await pass(key, signal))
    } catch (error) {
      source.failed(key)
      options.onError(key, error)
    }
  }
  const stopListening = source.listen(onRing)
  signal.addEventListener('abort', onRing, { once: true })

  for (let started = 0; !signal.aborted; ) {
    const hasRoom = running.size < concurrency
    const key = hasRoom ? source.take() : undefined
    if (key !== undefined) {
      start(key)
      if (++started % PASSES_BETWEEN_RESTS === 0) await turnOfTheEventLoop()
      continue
    }
    const rung = new Promise<void>((resolve) => {
      ring = resolve
    })
    // Without room a due key has to wait anyway; the end of a pass rings.
    const cancel = hasRoom ? source.clock.after(source.quietMs, onRing) : undefined
    await rung
    cancel?.()
  }

  await Promise.all(running).finally(stopListening)
}
