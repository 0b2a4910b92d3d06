import { setMaxListeners } from 'node:events'

/**
 * Calls back when the signal aborts, at once if it has, until the returned function is called. Any
 * number may wait on one signal: Node takes more than ten for a leak, unless told otherwise.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  setMaxListeners(0, signal)
  signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => onAbort(signal, resolve))
