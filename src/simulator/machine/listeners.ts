import type { Cancel } from '#base/clock.ts'
import { onAbort } from '#base/on-abort.ts'

/** Those who want to be told that something is another. */
export class Listeners {
  readonly #listeners = new Set<() => void>()

  add(listener: () => void): Cancel {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

/** What is told of changes. */
export type OnChange = (listener: () => void) => Cancel

/** Resolves as soon as something is true; it is looked at now and after each change. Rejects when aborted. */
export const untilTrue = (
  isTrue: () => boolean,
  signal: AbortSignal,
  ...sources: OnChange[]
): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    if (isTrue()) return resolve()
    const end = () => {
      leave()
      for (const cancel of cancels) cancel()
    }
    const leave = onAbort(signal, () => {
      end()
      reject(signal.reason)
    })
    const look = () => {
      if (!isTrue()) return
      end()
      resolve()
    }
    const cancels = sources.map((onChange) => onChange(look))
  })
