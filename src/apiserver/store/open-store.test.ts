import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { memoryBackend } from './backends/memory.ts'
import { openStore } from './open-store.ts'

// What a store promises on any backend is in test/conformance/store.

test('what a listener throws is told to whoever opened the store', async () => {
  const told: unknown[] = []
  const store = await openStore({
    backend: memoryBackend(),
    clock: new FakeClock(),
    onListenerError: (error) => told.push(error),
  })
  const broken = new Error('a listener broke')
  store.onChanges(() => {
    throw broken
  })
  await store.write('g/things/a', () => ({ put: () => Buffer.from('{}') }))
  expect(told).toEqual([broken])
})

test('a backend that cannot be read makes no store', async () => {
  const unreadable = { ...memoryBackend(), load: () => Promise.reject(new Error('no such disk')) }
  const opening = openStore({ backend: unreadable, clock: new FakeClock() })
  await expect(opening).rejects.toThrow('no such disk')
})
