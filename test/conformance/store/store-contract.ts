import { expect, test } from 'vitest'
import { Expired, FutureRevision, MAX_KEY_BYTES, NotKept } from '#apiserver/store/store.ts'
import { type NewBackend, opened, put, remove, texts } from './opened.ts'

/** What every store promises about one writer, whatever it keeps its entries in. */
export function storeContract(newBackend: NewBackend): void {
  test('a new store is empty and has had no change', async () => {
    const { store } = await opened(newBackend)
    expect(store.revision).toBe(0)
    expect(store.list('')).toEqual([])
    expect(store.get('g/things/a')).toBeUndefined()
  })

  test('what was written is there with its revision, byte for byte', async () => {
    const { store } = await opened(newBackend)
    const value = Buffer.from([0, 1, 2, 255, 254, 0])
    await store.write('g/things/a', () => ({ put: () => value }))
    expect(store.get('g/things/a')).toEqual({ key: 'g/things/a', revision: 1, value })
    expect(store.revision).toBe(1)
  })

  test('the bytes are made with the revision that the entry gets', async () => {
    const { store } = await opened(newBackend)
    await put(store, 'g/things/a', 'first')
    await store.write('g/things/a', () => ({ put: (revision) => Buffer.from(`at ${revision}`) }))
    expect(store.get('g/things/a')?.value.toString()).toBe(`at ${store.revision}`)
  })

  test('a small object does not keep memory that it was cut from', async () => {
    const { store, restart } = await opened(newBackend)
    const shared = Buffer.alloc(10_000, 'x')
    await store.write('g/things/a', () => ({ put: () => shared.subarray(10, 20) }))
    for (const each of [store, await restart()]) {
      expect(each.get('g/things/a')?.value.buffer.byteLength).toBe(10)
    }
  })

  test('a decision is made with what is there, and may be to leave it', async () => {
    const { store } = await opened(newBackend)
    await put(store, 'g/things/a', 'old')
    const seen: (string | undefined)[] = []
    await store.write('g/things/a', (current) => {
      seen.push(current?.value.toString())
      return 'leave'
    })
    await store.write('g/things/b', (current) => {
      seen.push(current?.value.toString())
      return 'leave'
    })
    expect(seen).toEqual(['old', undefined])
    expect(store.revision).toBe(1)
  })

  test('what was removed is gone, and the removal counts as a change', async () => {
    const { store } = await opened(newBackend)
    await put(store, 'g/things/a', 'old')
    await remove(store, 'g/things/a', 'as it last was')
    expect(store.get('g/things/a')).toBeUndefined()
    expect(store.list('g/things/')).toEqual([])
    expect(store.revision).toBe(2)
  })

  test('to remove what is not there changes nothing', async () => {
    const { store } = await opened(newBackend)
    await remove(store, 'g/things/a')
    expect(store.revision).toBe(0)
  })

  test('a decision that throws rejects its own write and takes no revision', async () => {
    const { store } = await opened(newBackend)
    const refusal = new Error('no')
    const refuse = () => {
      throw refusal
    }
    const settled = await Promise.allSettled([
      store.write('g/things/a', refuse),
      store.write('g/things/b', () => ({ put: refuse })),
      put(store, 'g/things/c', 'fine'),
    ])
    expect(settled).toEqual([
      { status: 'rejected', reason: refusal },
      { status: 'rejected', reason: refusal },
      { status: 'fulfilled', value: 1 },
    ])
    expect(texts(store.list(''))).toEqual(['g/things/c=fine'])
    expect(store.revision).toBe(1)
  })

  test('a key of another shape, or a longer one than all backends take, is refused', async () => {
    const { store } = await opened(newBackend)
    const longest = `g/things/${'n'.repeat(MAX_KEY_BYTES - 'g/things/'.length)}`
    await put(store, longest, 'fits')
    await expect(put(store, `${longest}n`, 'does not')).rejects.toThrow(/more than 1500 bytes/)
    await expect(put(store, 'things/a', 'no group')).rejects.toThrow(/no group and plural/)
    expect(texts(store.list(''))).toEqual([`${longest}=fits`])
  })

  test('an object of several megabytes is kept', async () => {
    const { store, restart } = await opened(newBackend)
    const value = Buffer.alloc(5 * 1024 * 1024, 'large')
    await store.write('g/things/large', () => ({ put: () => value }))
    expect((await restart()).get('g/things/large')?.value.equals(value)).toBe(true)
  })

  test('keys are listed in order, and a prefix ends where it says', async () => {
    const { store } = await opened(newBackend)
    const keys = [
      '/pods/a/x',
      'g/things/a-b/x',
      'g/things/a/x',
      'g/things/a/y',
      'g/things/a/ü',
      'g/things/a0/x',
      'g/things2/a/x',
      'h/things/a/x',
    ]
    for (const key of [...keys].reverse()) await put(store, key, '')
    const listed = (prefix: string) => store.list(prefix).map(({ key }) => key)
    expect(listed('')).toEqual([...keys].sort())
    expect(listed('g/things/')).toEqual(keys.slice(1, 6))
    expect(listed('g/things/a/')).toEqual(['g/things/a/x', 'g/things/a/y', 'g/things/a/ü'])
    expect(listed('g/things/a-b/')).toEqual(['g/things/a-b/x'])
    expect(listed('g/')).toEqual(keys.slice(1, 7))
    expect(listed('/pods/')).toEqual(['/pods/a/x'])
    expect(listed('g/things/b/')).toEqual([])
    expect(listed('x/y/')).toEqual([])
  })

  test('a list belongs to its caller', async () => {
    const { store } = await opened(newBackend)
    await put(store, 'g/things/a', '')
    store.list('g/things/').pop()
    expect(store.list('g/things/')).toHaveLength(1)
  })

  test('a list at an older revision is as it was then', async () => {
    const { store } = await opened(newBackend)
    await put(store, 'g/things/a', 'a1')
    await put(store, 'g/things/c', 'c2')
    await put(store, 'g/things/a', 'a3')
    await remove(store, 'g/things/c')
    await put(store, 'g/things/b', 'b5')
    await put(store, 'g/things/c', 'c6')
    const at = (revision: number) => texts(store.list('g/things/', revision))
    expect(at(0)).toEqual([])
    expect(at(1)).toEqual(['g/things/a=a1'])
    expect(at(2)).toEqual(['g/things/a=a1', 'g/things/c=c2'])
    expect(at(3)).toEqual(['g/things/a=a3', 'g/things/c=c2'])
    expect(at(4)).toEqual(['g/things/a=a3'])
    expect(at(5)).toEqual(['g/things/a=a3', 'g/things/b=b5'])
    expect(at(6)).toEqual(['g/things/a=a3', 'g/things/b=b5', 'g/things/c=c6'])
    expect(store.list('g/things/', 2).map(({ revision }) => revision)).toEqual([1, 2])
    expect(store.list('g/others/', 2)).toEqual([])
  })

  test('changes say what is, what was, and when', async () => {
    const { store } = await opened(newBackend)
    await put(store, 'g/things/a', 'one')
    await put(store, 'g/others/a', 'other')
    await put(store, 'g/things/a', 'two')
    await remove(store, 'g/things/a', 'two, removed')
    const a = { key: 'g/things/a' }
    const first = { ...a, revision: 1, value: Buffer.from('one') }
    const second = { ...a, revision: 3, value: Buffer.from('two') }
    const last = { ...a, revision: 4, value: Buffer.from('two, removed') }
    expect(store.changesSince(0, 'g/things/')).toEqual([
      { ...first, type: 'put', previous: undefined },
      { ...second, type: 'put', previous: first },
      { ...last, type: 'remove', previous: second },
    ])
    expect(store.changesSince(3, '')).toEqual([{ ...last, type: 'remove', previous: second }])
    expect(store.changesSince(4, '')).toEqual([])
  })

  test('a revision that has not been yet is told from one that is forgotten', async () => {
    const { store } = await opened(newBackend, { changes: 1 })
    await put(store, 'g/things/a', '')
    await put(store, 'g/things/a', '')
    expect(() => store.list('', 3)).toThrow(FutureRevision)
    expect(() => store.changesSince(3, '')).toThrow(FutureRevision)
    expect(() => store.list('', 0)).toThrow(Expired)
    expect(() => store.changesSince(0, '')).toThrow(Expired)
  })

  test('no more changes are remembered than the window has room for', async () => {
    const { store } = await opened(newBackend, { changes: 3 })
    for (let number = 1; number <= 10; number++) await put(store, 'g/things/a', `${number}`)
    expect(store.changesSince(7, '').map(({ revision }) => revision)).toEqual([8, 9, 10])
    expect(texts(store.list('', 7))).toEqual(['g/things/a=7'])
    expect(() => store.changesSince(6, '')).toThrow(new Expired(7))
    expect(() => store.list('', 6)).toThrow(new Expired(7))
  })

  test('no more bytes are remembered than the window has room for', async () => {
    const { store } = await opened(newBackend, { bytes: 1_000 })
    for (const name of ['a', 'b', 'c', 'd']) await put(store, `g/things/${name}`, 'x'.repeat(300))
    expect(store.changesSince(1, '')).toHaveLength(3)
    expect(() => store.changesSince(0, '')).toThrow(Expired)
    // What was there before counts too.
    await put(store, 'g/things/a', 'y'.repeat(300))
    expect(store.changesSince(3, '')).toHaveLength(2)
    expect(() => store.changesSince(2, '')).toThrow(Expired)
  })

  test('a change that is larger than the window is forgotten at once', async () => {
    const { store } = await opened(newBackend, { bytes: 100 })
    await put(store, 'g/things/a', 'x'.repeat(300))
    expect(store.changesSince(1, '')).toEqual([])
    expect(() => store.changesSince(0, '')).toThrow(Expired)
  })

  test('what is older than the window is forgotten with the next change', async () => {
    const { store, clock } = await opened(newBackend, { ageMs: 1_000 })
    await put(store, 'g/things/a', '')
    await clock.advance(600)
    await put(store, 'g/things/b', '')
    await clock.advance(600)
    await put(store, 'g/things/c', '')
    expect(store.changesSince(1, '').map(({ key }) => key)).toEqual(['g/things/b', 'g/things/c'])
    expect(() => store.changesSince(0, '')).toThrow(Expired)
    clock.jump(3_600_000)
    await put(store, 'g/things/d', '')
    expect(store.changesSince(1, '')).toHaveLength(3)
  })

  test('a restart keeps what is there, with its revisions, and counts on', async () => {
    const { store, restart } = await opened(newBackend)
    await put(store, 'g/things/b', 'b1')
    await put(store, 'g/things/a', 'a2')
    await put(store, 'g/things/b', 'b3')
    const before = store.list('')
    const after = await restart()
    expect(after.list('')).toEqual(before)
    expect(after.revision).toBe(3)
    expect(await put(after, 'g/things/c', 'c4')).toBe(4)
  })

  test('a revision is not given again after a restart that follows a removal', async () => {
    const { store, restart } = await opened(newBackend)
    await put(store, 'g/things/a', '')
    await remove(store, 'g/things/a')
    const after = await restart()
    expect(after.list('')).toEqual([])
    expect(after.revision).toBe(2)
    expect(await put(after, 'g/things/a', '')).toBe(3)
  })

  test('after a restart nothing is known from before it', async () => {
    const { store, restart } = await opened(newBackend)
    await put(store, 'g/things/a', '')
    await put(store, 'g/things/a', '')
    const after = await restart()
    expect(after.changesSince(2, '')).toEqual([])
    expect(after.list('', 2)).toHaveLength(1)
    expect(() => after.changesSince(1, '')).toThrow(Expired)
    expect(() => after.list('', 1)).toThrow(Expired)
  })

  test('a store that is closed takes no more writes and can still be read', async () => {
    const { store } = await opened(newBackend)
    await put(store, 'g/things/a', 'kept')
    await store[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
    await expect(put(store, 'g/things/a', 'late')).rejects.toThrow(NotKept)
    expect(texts(store.list(''))).toEqual(['g/things/a=kept'])
  })
}
