import { expect, test } from 'vitest'
import { Shared } from './shared.ts'

function counted() {
  const counts = { starts: 0, ends: 0 }
  const start = async () => {
    counts.starts += 1
    const end = async () => {
      counts.ends += 1
    }
    return { [Symbol.asyncDispose]: end }
  }
  return { counts, shared: new Shared(start) }
}

test('what is shared is started once, when it is first asked for', async () => {
  const { counts, shared } = counted()
  expect(counts.starts).toBe(0)

  expect(await shared.get()).toBe(await shared.get())
  expect(counts).toEqual({ starts: 1, ends: 0 })
})

test('it is ended once, and started again by whoever asks later', async () => {
  const { counts, shared } = counted()
  await shared.get()

  await shared[Symbol.asyncDispose]()
  await shared[Symbol.asyncDispose]()
  expect(counts).toEqual({ starts: 1, ends: 1 })

  await shared.get()
  expect(counts.starts).toBe(2)
})

test('what could not be started need not be ended', async () => {
  const shared = new Shared(() => Promise.reject<AsyncDisposable>(new Error('no')))
  await expect(shared.get()).rejects.toThrow('no')

  await shared[Symbol.asyncDispose]()
})
