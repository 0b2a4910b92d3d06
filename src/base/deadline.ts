import type { Cancel, Clock } from './clock.ts'
import { onAbort } from './on-abort.ts'

/** Why something was aborted that took longer than it may. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'

  constructor(deadlineMs: number) {
    super(`no answer within ${deadlineMs / 1_000} s`)
  }
}

/** How long something may take, and who can end it before. */
export interface Limit {
  clock: Clock
  deadlineMs: number
  signal?: AbortSignal
}

/**
 * Does the work with a signal that aborts with the caller's, or when the time is up. Nothing is left
 * on the caller's signal afterwards, so that one signal can outlive any number of calls.
 */
export async function withDeadline<Result>(
  { clock, deadlineMs, signal }: Limit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const limit = new AbortController()
  const unlink = forwardAbort(signal, limit)
  const cancel = clock.after(deadlineMs, () => limit.abort(new DeadlineExceeded(deadlineMs)))
  try {
    return await work(limit.signal)
  } catch (error) {
    // Whatever the work made of being aborted, the reason is what the caller can act on.
    throw limit.signal.aborted ? limit.signal.reason : error
  } finally {
    cancel()
    unlink()
  }
}

/** Aborts the one with the other, until it is cancelled. */
export const forwardAbort = (from: AbortSignal | undefined, to: AbortController): Cancel =>
  from ? onAbort(from, () => to.abort(from.reason)) : () => {}
