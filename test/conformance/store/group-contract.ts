import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Change, NotKept } from '#apiserver/store/store.ts'
import { type NewBackend, opened, put, remove, texts } from './opened.ts'

const writers = (count: number): number[] => Array.from({ length: count }, (_, number) => number)

/** What every store promises to many who write at once. */
export function groupContract(newBackend: NewBackend): void {
  test('those who write in one turn of the event loop share one commit', async () => {
    const { store, backend } = await opened(newBackend)
    await Promise.all(writers(50).map((writer) => put(store, `g/things/${writer}`, '')))
    expect(backend.groups.map(({ writes }) => writes.length)).toEqual([50])
    expect(store.revision).toBe(50)
  })

  test('nobody sees a write before it is durable', async () => {
    const { store, backend } = await opened(newBackend)
    await put(store, 'g/things/a', 'old')
    const told: string[] = []
    store.onChanges((changes) => told.push(...changes.map(({ key }) => key)))
    const release = backend.hold()
    const acknowledged: string[] = []
    const writes = [
      put(store, 'g/things/a', 'new').then(() => acknowledged.push('a')),
      put(store, 'g/things/b', 'new').then(() => acknowledged.push('b')),
    ]
    while (backend.groups.length < 2) await setImmediate()
    expect(texts(store.list(''))).toEqual(['g/things/a=old'])
    expect(store.get('g/things/b')).toBeUndefined()
    expect(store.revision).toBe(1)
    expect(store.changesSince(1, '')).toEqual([])
    expect([...told, ...acknowledged]).toEqual([])
    release()
    await Promise.all(writes)
    expect(texts(store.list(''))).toEqual(['g/things/a=new', 'g/things/b=new'])
    expect(told).toEqual(['g/things/a', 'g/things/b'])
  })

  test('what is decided during a commit is the next group, in the order of its revisions', async () => {
    const { store, backend } = await opened(newBackend)
    const release = backend.hold()
    const first = put(store, 'g/things/first', '')
    while (backend.groups.length < 1) await setImmediate()
    const rest = writers(20).map((writer) => put(store, `g/things/${writer}`, ''))
    await setImmediate()
    expect(backend.groups).toHaveLength(1)
    release()
    expect(await first).toBe(1)
    expect(await Promise.all(rest)).toEqual(writers(20).map((writer) => writer + 2))
    expect(backend.groups.map(({ revision }) => revision)).toEqual([1, 21])
  })

  test('a very large group is split, and each part is told of on its own', async () => {
    const { store, backend } = await opened(newBackend)
    const told: number[] = []
    store.onChanges((changes) => told.push(changes.length))
    const large = 'x'.repeat(3 * 1024 * 1024)
    await Promise.all([
      ...writers(4).map((writer) => put(store, `g/large/${writer}`, large)),
      ...writers(1_500).map((writer) => put(store, `g/small/${writer}`, '')),
    ])
    expect(told).toEqual([2, 1_000, 502])
    expect(backend.groups).toHaveLength(3)
  })

  test('a listener hears each group once, after it can be read and before its writers go on', async () => {
    const { store } = await opened(newBackend)
    const heard: string[] = []
    store.onChanges((changes) => {
      const revision = changes.at(-1)?.revision
      heard.push(`${changes.length} to ${revision}, store at ${store.revision}`)
      heard.push(...texts(store.list('')))
    })
    await Promise.all([
      put(store, 'g/things/a', 'a').then(() => heard.push('a done')),
      put(store, 'g/things/b', 'b').then(() => heard.push('b done')),
    ])
    expect(heard).toEqual([
      '2 to 2, store at 2',
      'g/things/a=a',
      'g/things/b=b',
      'a done',
      'b done',
    ])
  })

  test('a listener that throws disturbs neither the others nor the writers', async () => {
    const { store } = await opened(newBackend)
    const heard: Change[] = []
    store.onChanges(() => {
      throw new Error('a listener broke')
    })
    store.onChanges((changes) => heard.push(...changes))
    await put(store, 'g/things/a', '')
    await put(store, 'g/things/b', '')
    expect(heard.map(({ key }) => key)).toEqual(['g/things/a', 'g/things/b'])
  })

  test('a listener that was stopped hears nothing more, one that stops another is no trouble', async () => {
    const { store } = await opened(newBackend)
    const heard: string[] = []
    const listener = () => void heard.push('heard')
    const stop = store.onChanges(listener)
    store.onChanges(listener)
    await put(store, 'g/things/a', '')
    expect(heard).toHaveLength(2)
    stop()
    stop()
    await put(store, 'g/things/a', '')
    expect(heard).toHaveLength(3)
  })

  test('writes to one key are decided one after the other, each with what the last one left', async () => {
    const { store } = await opened(newBackend)
    const seen: string[] = []
    await Promise.all(
      writers(20).map((writer) =>
        store.write('g/things/counter', (current) => {
          seen.push(current?.value.toString() ?? 'nothing')
          return { put: () => Buffer.from(`${writer}`) }
        }),
      ),
    )
    expect(seen).toEqual(['nothing', ...writers(19).map(String)])
    expect(texts(store.list(''))).toEqual(['g/things/counter=19'])
  })

  test('a key that waits holds up no other', async () => {
    const { store, backend } = await opened(newBackend)
    const release = backend.hold()
    const order: string[] = []
    const decided = (name: string) => () => {
      order.push(name)
      return 'leave' as const
    }
    const pending = put(store, 'g/things/a', '')
    const writes = [
      store.write('g/things/a', decided('a')),
      store.write('g/things/b', decided('b')),
    ]
    expect(order).toEqual(['b'])
    release()
    await Promise.all([pending, ...writes])
    expect(order).toEqual(['b', 'a'])
  })

  test('thousands who wait for one key and change nothing all get their turn', async () => {
    const { store } = await opened(newBackend)
    const first = put(store, 'g/things/a', '')
    const rest = writers(20_000).map(() => store.write('g/things/a', () => 'leave'))
    await Promise.all([first, ...rest])
    expect(store.revision).toBe(1)
  })

  test('a store tells what is wrong with it from a commit that failed to one that did not', async () => {
    const { store, backend } = await opened(newBackend)
    await put(store, 'g/things/a', '')
    expect(store.problem()).toBeUndefined()
    backend.failNext(new Error('the disk is full'))
    await expect(put(store, 'g/things/a', 'new')).rejects.toThrow(NotKept)
    expect(store.problem()).toBe('the change could not be kept: the disk is full')
    await put(store, 'g/things/b', '')
    expect(store.problem()).toBeUndefined()
  })

  test('a commit that fails rejects its whole group, changes nothing, and the next one succeeds', async () => {
    const { store, backend, restart } = await opened(newBackend)
    await put(store, 'g/things/a', 'old')
    const told: Change[] = []
    store.onChanges((changes) => told.push(...changes))
    backend.failNext(new Error('the disk is full'))
    const failing = [put(store, 'g/things/a', 'new'), put(store, 'g/things/b', 'new')]
    const after = store.write('g/things/a', (current) => ({
      put: () => Buffer.from(`${current?.value} and after`),
    }))
    for (const write of failing) {
      await expect(write).rejects.toThrow(NotKept)
      await expect(write).rejects.toThrow(/the disk is full/)
    }
    await after
    expect(texts(store.list(''))).toEqual(['g/things/a=old and after'])
    expect(told.map(({ key }) => key)).toEqual(['g/things/a'])
    expect(told[0]?.previous?.value.toString()).toBe('old')
    expect(texts(store.list('', 1))).toEqual(['g/things/a=old'])
    const reopened = await restart()
    expect(reopened.revision).toBe(store.revision)
    expect(texts(reopened.list(''))).toEqual(['g/things/a=old and after'])
  })

  test('a store that is closed finishes what was begun, those who wait for a key included', async () => {
    const { store, backend, restart } = await opened(newBackend)
    const release = backend.hold()
    const writes = [put(store, 'g/things/a', '1'), put(store, 'g/things/a', '2')]
    writes.push(put(store, 'g/things/b', '1'), remove(store, 'g/things/b'))
    const closed = store[Symbol.asyncDispose]()
    await expect(put(store, 'g/things/a', '3')).rejects.toThrow(NotKept)
    release()
    await Promise.all([...writes, closed])
    expect(texts((await restart()).list(''))).toEqual(['g/things/a=2'])
  })
}
