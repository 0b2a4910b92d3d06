import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtinKinds } from '#apiserver/builtin-kinds.ts'
import { memoryBackend } from '#apiserver/store/backends/memory.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import type { Store } from '#apiserver/store/store.ts'
import { surroundingsIn } from '#apiserver/surroundings.ts'
import { FakeClock } from '#test/fake-clock.ts'
import type { View } from './watch-events.ts'
import { WatchHub } from './watch-hub.ts'
import { type Sink, WatchStream } from './watch-stream.ts'

const MEGABYTE = 1024 * 1024
const FROM_NOW = {
  ...{ initial: false, since: 0, bookmarks: false, marksEnd: false, timeoutSeconds: undefined },
}

let store: Store
let hub: WatchHub
let clock: FakeClock
let view: View
beforeEach(async () => {
  clock = new FakeClock()
  store = await openStore({ backend: memoryBackend(), clock })
  hub = new WatchHub(store, clock)
  const surroundings = surroundingsIn(store)
  const resource = builtinKinds(surroundings).find(({ plural }) => plural === 'configmaps')
  surroundings.stop()
  if (!resource) throw new Error('there are no ConfigMaps')
  const selection = { matches: undefined, name: undefined, id: '' }
  view = { resource, namespace: '', selection, as: 'object', include: 'Object' }
})
afterEach(() => {
  hub.dispose()
  expect(clock.waiting).toBe(0)
})

/** Takes everything at once, or nothing at all. */
class FakeSink implements Sink {
  readonly taken: Buffer[] = []
  ending: 'ended' | 'cut off' | undefined
  #pending = 0
  readonly #isStuck: boolean

  constructor(isStuck = false) {
    this.#isStuck = isStuck
  }

  write(bytes: Buffer): boolean {
    if (this.#isStuck) this.#pending += bytes.length
    else this.taken.push(bytes)
    return !this.#isStuck
  }

  drained = () => new Promise<void>(() => {})
  pendingBytes = () => this.#pending
  isClosed = () => this.ending !== undefined
  end = () => {
    this.ending = 'ended'
  }
  destroy = () => {
    this.ending = 'cut off'
  }

  get events(): string[] {
    const lines = Buffer.concat(this.taken).toString().split('\n').filter(Boolean)
    return lines.map((line) => {
      const { type, object } = JSON.parse(line)
      return [type, object.metadata.name].filter(Boolean).join(' ')
    })
  }
}

const put = (name: string, value = '') =>
  store.write(`/configmaps/default/${name}`, () => ({
    put: (revision) => {
      const metadata = { resourceVersion: String(revision), name, namespace: 'default' }
      return Buffer.from(JSON.stringify({ metadata, data: { value } }))
    },
  }))

async function watch(sink: FakeSink, options: Partial<typeof FROM_NOW> = {}): Promise<WatchStream> {
  const stream = new WatchStream({ store, hub, clock }, view, sink)
  stream.start({ ...FROM_NOW, since: store.revision, ...options })
  await clock.advance(0)
  return stream
}

test('watchers that see the same are sent the very same bytes', async () => {
  const [one, two] = [new FakeSink(), new FakeSink()]
  const streams = [await watch(one), await watch(two)]

  await put('a')

  expect(one.events).toEqual(['ADDED a'])
  expect(one.taken[0]).toBe(two.taken[0])
  for (const stream of streams) stream.stop()
})

test('a watcher that does not keep up is cut off, and nobody waits for it', async () => {
  const [slow, quick] = [new FakeSink(true), new FakeSink()]
  const streams = [await watch(slow), await watch(quick)]

  for (let count = 0; count < 20; count++) await put(`m${count}`, 'x'.repeat(MEGABYTE))

  expect(slow.ending).toBe('cut off')
  expect(slow.pendingBytes()).toBeLessThan(18 * MEGABYTE)
  expect(quick.events).toHaveLength(20)
  for (const stream of streams) stream.stop()
})

test('a bookmark comes every minute, and one before the end', async () => {
  const sink = new FakeSink()
  await put('before')
  await watch(sink, { initial: true, bookmarks: true })

  await clock.advance(60_000)
  await clock.advance(60_000)
  expect(sink.events).toEqual(['ADDED before', 'BOOKMARK', 'BOOKMARK'])
  await clock.advance(3_600_000)

  expect(sink.events.at(-1)).toBe('BOOKMARK')
  expect(sink.ending).toBe('ended')
})

test('what is there comes first, then its end, then what came meanwhile', async () => {
  const sink = new FakeSink()
  await put('before')
  const stream = new WatchStream({ store, hub, clock }, view, sink)
  stream.start({ ...FROM_NOW, initial: true, bookmarks: true, marksEnd: true })

  await put('meanwhile')
  await clock.advance(0)

  expect(sink.events).toEqual(['ADDED before', 'BOOKMARK', 'ADDED meanwhile'])
  stream.stop()
})

test('a watch from a revision that is still to come tells only of what comes after that', async () => {
  const sink = new FakeSink()
  await put('before')
  const stream = await watch(sink, { since: store.revision + 2 })

  for (const name of ['one', 'two', 'three', 'four']) await put(name)

  expect(sink.events).toEqual(['ADDED three', 'ADDED four'])
  stream.stop()
})

test('a watch of what is there cannot begin at a revision that is still to come', async () => {
  const stream = new WatchStream({ store, hub, clock }, view, new FakeSink())
  const options = { ...FROM_NOW, initial: true, since: store.revision + 1 }

  expect(() => stream.start(options)).toThrow('Too large resource version')
})

test('a watch without a revision that is not told what is there begins now', async () => {
  const sink = new FakeSink()
  store = await openStore({ backend: memoryBackend(), clock, firstRevision: 100 })
  hub.dispose()
  hub = new WatchHub(store, clock)
  await put('before')
  const stream = await watch(sink, { since: 0 })

  await put('after')

  expect(sink.events).toEqual(['ADDED after'])
  stream.stop()
})

test('a watcher whose time is over while it still reads the beginning is sent nothing more', async () => {
  let drain = () => {}
  const sink = new FakeSink(true)
  sink.drained = () =>
    new Promise((resolve) => {
      drain = resolve
    })
  let late = 0
  sink.write = () => {
    if (sink.isClosed()) late++
    return false
  }
  await put('large', 'x'.repeat(MEGABYTE))
  await watch(sink, { initial: true, bookmarks: true, marksEnd: true })

  await clock.advance(3_600_000)
  drain()
  await clock.advance(0)

  expect(sink.ending).toBe('ended')
  expect(late).toBe(0)
})

test('an event that cannot be shown ends the watches that would see it, and no others', async () => {
  const [broken, whole] = [new FakeSink(), new FakeSink()]
  const everything = view.selection
  const matches = () => {
    throw new Error('not to be read')
  }
  view = { ...view, selection: { matches, name: undefined, id: 'broken' } }
  await watch(broken)
  view = { ...view, selection: everything }
  const stream = await watch(whole)

  await put('a')

  expect(broken.ending).toBe('cut off')
  expect(whole.events).toEqual(['ADDED a'])
  stream.stop()
})
