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

test('while a write is being decided, later ones to its key wait, and no others', async () => {
  const store = await openStore({ backend: memoryBackend(), clock: new FakeClock() })
  let decideNow: () => void = () => undefined
  const time = new Promise<void>((resolve) => {
    decideNow = resolve
  })
  const put = (text: string) => ({ put: () => Buffer.from(text) })
  const seen: (string | undefined)[] = []
  const slow = store.write('g/things/a', async () => {
    await time
    return put('slow')
  })
  const later = store.write('g/things/a', (current) => {
    seen.push(current?.value.toString())
    return put('later')
  })

  await store.write('g/things/b', () => put('other'))
  expect([store.get('g/things/a'), seen]).toEqual([undefined, []])

  decideNow()
  await Promise.all([slow, later])
  expect(seen).toEqual(['slow'])
  expect(store.get('g/things/a')?.value.toString()).toBe('later')
  const revisions = store.changesSince(0, 'g/').map(({ key, revision }) => `${key} ${revision}`)
  expect(revisions).toEqual(['g/things/b 1', 'g/things/a 2', 'g/things/a 3'])
})

test('a decision that fails late changes nothing, and lets the next one decide', async () => {
  const store = await openStore({ backend: memoryBackend(), clock: new FakeClock() })
  const failing = store.write('g/things/a', () => Promise.reject(new Error('not so')))
  const next = store.write('g/things/a', () => ({ put: () => Buffer.from('{}') }))

  await expect(failing).rejects.toThrow('not so')
  await next
  expect(store.revision).toBe(1)
})
