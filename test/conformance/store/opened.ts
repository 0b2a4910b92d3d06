import { onTestFinished } from 'vitest'
import type { WindowBounds } from '#apiserver/store/change-window.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import type { Backend, Entry, Store } from '#apiserver/store/store.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { ControlledBackend } from './controlled-backend.ts'

/** Makes a backend that is empty, and takes away what it leaves when the test is over. */
export type NewBackend = () => Promise<Backend>

export interface Opened {
  store: Store
  clock: FakeClock
  backend: ControlledBackend
  /** Closes the store and opens it again on what it kept. */
  restart(): Promise<Store>
}

/** A store on a new backend, closed when the test is over. */
export async function opened(
  newBackend: NewBackend,
  window: Partial<WindowBounds> = {},
): Promise<Opened> {
  const clock = new FakeClock()
  const backend = new ControlledBackend(await newBackend())
  let store = await openStore({ backend, clock, window })
  onTestFinished(() => store[Symbol.asyncDispose]())
  const restart = async () => {
    await store[Symbol.asyncDispose]()
    store = await openStore({ backend, clock, window })
    return store
  }
  return { store, clock, backend, restart }
}

/** Writes text to a key, whatever is there; returns the revision of the change. */
export async function put(store: Store, key: string, text: string): Promise<number> {
  let at = 0
  await store.write(key, () => ({
    put: (revision) => {
      at = revision
      return Buffer.from(text)
    },
  }))
  return at
}

export async function remove(store: Store, key: string, lastText = 'gone'): Promise<number> {
  let at = 0
  await store.write(key, () => ({
    remove: (revision) => {
      at = revision
      return Buffer.from(lastText)
    },
  }))
  return at
}

/** Entries as a test can read them. */
export const texts = (entries: readonly Entry[]): string[] =>
  entries.map(({ key, value }) => `${key}=${value.toString()}`)
