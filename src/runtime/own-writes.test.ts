import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ConfigMap, Pod } from '#api/foreign.ts'
import type { ApiKind, KubeObject } from '#api/meta.ts'
import { isAtLeast, ObjectCache } from '#kube/cache.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { OwnWrites } from './own-writes.ts'

/** The cache of pods, which is as far as a test says. No other kind is watched. */
class PretendCaches {
  readonly cache = new ObjectCache<KubeObject>()
  version = '0'
  readonly #listeners = new Set<() => void>()

  get listeners(): number {
    return this.#listeners.size
  }

  has(kind: ApiKind): boolean {
    return kind === Pod
  }

  get(kind: ApiKind, key: string): KubeObject | undefined {
    if (!this.has(kind)) throw new Error(`${kind.plural} are not watched`)
    return this.cache.get(key)
  }

  hasSeen(kind: ApiKind, key: string, version: string): boolean {
    const kept = this.get(kind, key)?.metadata.resourceVersion ?? ''
    return isAtLeast(kept, version) || isAtLeast(this.version, version)
  }

  listen(_kind: ApiKind, listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  put(object: KubeObject): void {
    this.cache.put(object)
    this.#arrived(object)
  }

  drop(object: KubeObject): void {
    this.cache.drop(object)
    this.#arrived(object)
  }

  /** As in a watch, the version is known after the listeners have heard of the event. */
  #arrived({ metadata }: KubeObject): void {
    for (const listener of this.#listeners) listener()
    this.version = metadata.resourceVersion ?? ''
  }
}

const aPod = (name: string, version: number, changes: Partial<KubeObject['metadata']> = {}) => ({
  metadata: { name, namespace: 'default', uid: name, resourceVersion: String(version), ...changes },
})

const ref = (name: string) => ({ name, namespace: 'default' })

const WITHIN_MS = 5_000

function someWrites() {
  const clock = new FakeClock()
  const caches = new PretendCaches()
  const writes = new OwnWrites(caches, clock)
  const stop = new AbortController()
  /** What `seen` yields, or `waits` if that takes time. */
  const outcome = async () => {
    const seen = writes.seen(WITHIN_MS, stop.signal)
    let result: string[] | 'waits' = 'waits'
    void seen.then((missing) => {
      result = missing
    })
    await turn()
    const left = { listeners: caches.listeners, timers: clock.waiting }
    return { seen, now: result, left }
  }
  return { clock, caches, writes, stop, outcome }
}

const NOTHING_LEFT = { listeners: 0, timers: 0 }

test('who has written nothing waits for nothing', async () => {
  const { outcome } = someWrites()

  expect(await outcome()).toMatchObject({ now: [], left: NOTHING_LEFT })
})

test('what the cache shows already is not waited for', async () => {
  const { caches, writes, outcome } = someWrites()
  caches.put(aPod('a', 7))

  writes.wrote(Pod, aPod('a', 7))

  expect(await outcome()).toMatchObject({ now: [], left: NOTHING_LEFT })
})

test('a write is waited for until the cache shows it, or what became of it', async () => {
  const { caches, writes, outcome } = someWrites()
  writes.wrote(Pod, aPod('a', 7))
  writes.wrote(Pod, aPod('b', 8))

  const { seen, now } = await outcome()
  expect(now).toBe('waits')
  caches.put(aPod('a', 7))
  await turn()
  expect(caches.listeners).toBe(1)
  caches.put(aPod('b', 12))

  expect(await seen).toEqual([])
  expect((await outcome()).left).toEqual(NOTHING_LEFT)
})

test('a cache that does not follow is given up after a time, with what is missing', async () => {
  const { clock, caches, writes, outcome } = someWrites()
  writes.wrote(Pod, aPod('a', 7))
  writes.wrote(Pod, aPod('b', 8))
  const { seen } = await outcome()

  caches.put(aPod('a', 7))
  await clock.advance(WITHIN_MS)

  expect(await seen).toEqual(['pods default/b'])
  expect([caches.listeners, clock.waiting]).toEqual([0, 0])
})

test('who is to stop waits no longer', async () => {
  const { clock, caches, writes, stop, outcome } = someWrites()
  writes.wrote(Pod, aPod('a', 7))
  const { seen } = await outcome()

  stop.abort()

  expect(await seen).toEqual(['pods default/a'])
  expect([caches.listeners, clock.waiting]).toEqual([0, 0])
  expect(await outcome()).toMatchObject({ now: ['pods default/a'], left: NOTHING_LEFT })
})

test('what nobody watches is not waited for, be it written or removed', async () => {
  const { writes, outcome } = someWrites()

  writes.wrote(ConfigMap, aPod('a', 7))
  writes.removed(ConfigMap, ref('b'), writes.uidOf(ConfigMap, ref('b')))

  expect(await outcome()).toMatchObject({ now: [], left: NOTHING_LEFT })
})

test('an older version of what was written is not enough', async () => {
  const { clock, caches, writes, outcome } = someWrites()
  caches.put(aPod('a', 5))
  writes.wrote(Pod, aPod('a', 7))
  const { seen } = await outcome()

  caches.put(aPod('a', 6))
  await clock.advance(WITHIN_MS)

  expect(await seen).toEqual(['pods default/a'])
})

test('of several writes to one object the last is waited for', async () => {
  const { caches, writes, outcome } = someWrites()
  writes.wrote(Pod, aPod('a', 7))
  writes.wrote(Pod, aPod('a', 9))
  const { seen, now } = await outcome()

  caches.put(aPod('a', 7))
  await turn()
  expect([now, caches.listeners]).toEqual(['waits', 1])
  caches.put(aPod('a', 9))

  expect(await seen).toEqual([])
  expect(writes.versionOf(Pod, aPod('a', 1))).toBe('9')
  expect(writes.versionOf(Pod, aPod('b', 1))).toBeUndefined()
})

test('what was written and is gone by now was seen, as the cache is that far', async () => {
  const { caches, writes, outcome } = someWrites()
  caches.put(aPod('a', 5))
  // As the server answers to who takes away the last finalizer of an object that is to go.
  writes.wrote(Pod, aPod('a', 7))
  const { seen } = await outcome()

  caches.drop(aPod('a', 7))

  expect(await seen).toEqual([])
})

test('a deletion is waited for until the object is gone', async () => {
  const { caches, writes, outcome } = someWrites()
  caches.put(aPod('a', 5))
  writes.removed(Pod, ref('a'), writes.uidOf(Pod, ref('a')))
  const { seen, now } = await outcome()

  caches.drop(aPod('a', 6))

  expect(now).toBe('waits')
  expect(await seen).toEqual([])
})

test.each([
  ['is marked to go', aPod('a', 6, { deletionTimestamp: '2030-01-01T00:00:00Z' })],
  ['is another one by now', aPod('a', 6, { uid: 'another' })],
])('a deletion was seen when the object %s', async (_what, now) => {
  const { caches, writes, outcome } = someWrites()
  caches.put(aPod('a', 5))
  writes.removed(Pod, ref('a'), writes.uidOf(Pod, ref('a')))
  const { seen } = await outcome()

  caches.put(now)

  expect(await seen).toEqual([])
})

test('a successor that is there before the answer to a deletion is not waited for', async () => {
  const { caches, writes, outcome } = someWrites()
  caches.put(aPod('a', 5))
  const uid = writes.uidOf(Pod, ref('a'))
  caches.put(aPod('a', 7, { uid: 'another' }))

  writes.removed(Pod, ref('a'), uid)

  expect(await outcome()).toMatchObject({ now: [], left: NOTHING_LEFT })
})

test('what is not in the cache is gone', async () => {
  const { writes, outcome } = someWrites()

  writes.removed(Pod, ref('a'), writes.uidOf(Pod, ref('a')))

  expect(await outcome()).toMatchObject({ now: [] })
})

test('what was made and taken away at once has to be seen to come before it is seen to go', async () => {
  const { caches, writes, outcome } = someWrites()
  const made = aPod('a', 7)
  writes.wrote(Pod, made)
  writes.removed(Pod, ref('a'), writes.uidOf(Pod, ref('a')))

  const { seen, now } = await outcome()
  caches.put(made)
  await turn()
  expect([now, caches.listeners]).toEqual(['waits', 1])
  caches.drop(aPod('a', 8))

  expect(await seen).toEqual([])
})
