import { once } from 'node:events'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '#apiserver/store/open-store.ts'
import type { Store } from '#apiserver/store/store.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { lmdbBackend } from './lmdb.ts'

async function aDirectory(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lmdb-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'store')
}

async function openAt(path: string, compactFromBytes?: number): Promise<Store> {
  const backend = lmdbBackend(compactFromBytes ? { path, compactFromBytes } : { path })
  const store = await openStore({ backend, clock: new FakeClock() })
  onTestFinished(() => store[Symbol.asyncDispose]())
  return store
}

const close = (store: Store): PromiseLike<void> => store[Symbol.asyncDispose]()
const put = (store: Store, name: string, text: string): Promise<void> =>
  store.write(`g/things/${name}`, () => ({ put: () => Buffer.from(text) }))

test('the directory and all files in it are for their owner only', async () => {
  const path = await aDirectory()
  await mkdir(path, { mode: 0o755 })
  const store = await openAt(path)
  await put(store, 'a', 'secret')
  const modes = async (name: string) => ((await stat(join(path, name))).mode & 0o777).toString(8)
  expect(await modes('.')).toBe('700')
  const names = (await readdir(path)).sort()
  expect(names).toEqual(['lock', 'lock.1.sock', 'store.mdb', 'store.mdb-lock'])
  for (const name of names) expect(`${name} ${await modes(name)}`).toBe(`${name} 600`)
})

test('a directory that is in use is refused with who has it, and is free when that one is done', async () => {
  const path = await aDirectory()
  const first = await openAt(path)
  await expect(openAt(path)).rejects.toThrow(
    new RegExp(`${path} is in use by process ${process.pid} on .+: only one can have it`),
  )
  await put(first, 'a', 'still works')
  await close(first)
  expect((await openAt(path)).list('')).toHaveLength(1)
})

test('a lock whose owner died is taken over', async () => {
  const path = await aDirectory()
  await mkdir(path)
  // Closing removes the socket by its name: under another one it stays, as after a crash.
  const dead = createServer().listen(join(path, 'dying.sock'))
  await once(dead, 'listening')
  await rename(join(path, 'dying.sock'), join(path, 'lock.7.sock'))
  dead.close()
  await once(dead, 'close')
  await writeFile(join(path, 'lock'), 'process 1 on elsewhere\n')
  const store = await openAt(path)
  await put(store, 'a', '')
  expect(await readFile(join(path, 'lock'), 'utf8')).toContain(`process ${process.pid} `)
  expect(await readdir(path)).not.toContain('lock.7.sock')
  await expect(openAt(path)).rejects.toThrow(/is in use/)
})

test('a lock at which somebody hangs up without a word is asked again, and taken only once nobody is there', async () => {
  const path = await aDirectory()
  await mkdir(path)
  let times = 0
  const leaving = createServer((connection) => {
    times += 1
    connection.destroy()
    if (times === 3) leaving.close()
  })
  leaving.listen(join(path, 'leaving.sock'))
  await once(leaving, 'listening')
  await rename(join(path, 'leaving.sock'), join(path, 'lock.7.sock'))

  await close(await openAt(path))
  expect(times).toBe(3)

  const staying = createServer((connection) => void connection.destroy())
  staying.listen(join(path, 'staying.sock'))
  await once(staying, 'listening')
  await rename(join(path, 'staying.sock'), join(path, 'lock.9.sock'))

  await expect(openAt(path)).rejects.toThrow(/is in use by another process/)
  staying.close()
})

test('a directory with a very long path is locked as any other', async () => {
  const path = join(await aDirectory(), 'x'.repeat(120), 'y'.repeat(120))
  const first = await openAt(path)
  await expect(openAt(path)).rejects.toThrow(/is in use/)
  await close(first)
  await close(await openAt(path))
})

test('a file that is none of LMDB is refused and left as it is', async () => {
  const path = await aDirectory()
  await mkdir(path)
  const file = join(path, 'store.mdb')
  for (const text of ['hello', 'not a database\n'.repeat(10_000)]) {
    await writeFile(file, text)
    await expect(openAt(path)).rejects.toThrow(`${file} is no store: it is not an LMDB file`)
    expect(await readFile(file, 'utf8')).toBe(text)
  }
  // What stood in the way has let go of the lock.
  await rm(file)
  await close(await openAt(path))
})

test('an empty file, as a crash in the first moment leaves it, becomes a store', async () => {
  const path = await aDirectory()
  await mkdir(path)
  await writeFile(join(path, 'store.mdb'), '')
  const store = await openAt(path)
  await put(store, 'a', 'fine')
  expect(store.revision).toBe(1)
})

test('an LMDB file of somebody else is refused', async () => {
  const path = await aDirectory()
  await mkdir(path)
  const theirs = open({ path: join(path, 'store.mdb'), encoding: 'binary' })
  await theirs.put('their key', Buffer.from('their value'))
  await theirs.close()
  await expect(openAt(path)).rejects.toThrow(/store\.mdb is an LMDB file, but not one of ours/)
})

test('a store of a version that is not known is refused', async () => {
  const path = await aDirectory()
  await close(await openAt(path))
  const file = open({ path: join(path, 'store.mdb'), encoding: 'binary' })
  await file
    .openDB('meta', { encoding: 'binary' })
    .put('format', Buffer.from('talos-operator store 9'))
  await file.close()
  await expect(openAt(path)).rejects.toThrow(
    /is in the format "talos-operator store 9", and this program knows "talos-operator store 1" only/,
  )
})

test('a file that has lost its end, or a part of it, is refused', async () => {
  const path = await aDirectory()
  const store = await openAt(path)
  for (let number = 0; number < 100; number++) await put(store, `n${number}`, 'x'.repeat(100_000))
  await close(store)
  const file = join(path, 'store.mdb')
  const { size } = await stat(file)
  await truncate(file, size - 1_000_000)
  await expect(openAt(path)).rejects.toThrow(`${file} is damaged: `)
  for (const length of [1_000_000, 8_192]) {
    await truncate(file, length)
    await expect(openAt(path)).rejects.toThrow(/has lost its end: it is \d+ bytes of \d+ long/)
  }
  await truncate(file, 4_096)
  await expect(openAt(path)).rejects.toThrow(/is not an LMDB file/)
})

test('a file that is mostly empty is compacted when it is opened, and holds the same', async () => {
  const path = await aDirectory()
  const file = join(path, 'store.mdb')
  const store = await openAt(path)
  const names = Array.from({ length: 200 }, (_, number) => `n${number}`)
  await Promise.all(names.map((name) => put(store, name, name.repeat(2_000))))
  await Promise.all(
    names
      .slice(10)
      .map((name) => store.write(`g/things/${name}`, () => ({ remove: () => Buffer.from('') }))),
  )
  const [entries, revision] = [store.list(''), store.revision]
  await close(store)
  const { size } = await stat(file)

  await close(await openAt(path))
  expect((await stat(file)).size).toBeGreaterThanOrEqual(size)

  await writeFile(`${file}.copy`, 'left by a crash in the middle')
  const compacted = await openAt(path, 1)
  expect((await stat(file)).size).toBeLessThan(size / 4)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(path)).not.toContain('store.mdb.copy')
  expect(compacted.list('')).toEqual(entries)
  expect(compacted.revision).toBe(revision)
  await put(compacted, 'after', 'fine')
  await close(compacted)
  expect((await openAt(path)).revision).toBe(revision + 1)
})
