import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '#apiserver/store/open-store.ts'
import type { Store } from '#apiserver/store/store.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { lmdbBackend } from './lmdb.ts'
import { type Environment, openEnvironment } from './lmdb-environment.ts'

/** How the next commits fail: before anything is kept, or after all of it is. */
type Failures = ('before' | 'after')[]

const failing = (failures: Failures) => async (file: string) => {
  const environment = await openEnvironment(file)
  const keep: Environment['keep'] = async (group) => {
    const failure = failures.shift()
    if (failure !== 'before') await environment.keep(group)
    if (failure) throw new Error('Input/output error')
  }
  return { ...environment, keep }
}

/** A store whose commits fail as told, and a way to see what a restart finds. */
async function aStore(): Promise<{ store: Store; failures: Failures; restart(): Promise<Store> }> {
  const folder = await mkdtemp(join(tmpdir(), 'lmdb-failures-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'store')
  const failures: Failures = []
  const store = await openStore({
    backend: lmdbBackend({ path, open: failing(failures) }),
    clock: new FakeClock(),
  })
  const restart = async () => {
    await store[Symbol.asyncDispose]()
    const again = await openStore({ backend: lmdbBackend({ path }), clock: new FakeClock() })
    onTestFinished(() => again[Symbol.asyncDispose]())
    return again
  }
  onTestFinished(() => store[Symbol.asyncDispose]())
  return { store, failures, restart }
}

const put = (store: Store, name: string): Promise<void> =>
  store.write(`g/things/${name}`, () => ({ put: () => Buffer.from(name) }))

const namesIn = (store: Store): string[] => store.list('').map(({ value }) => value.toString())

test('what failed and is not there is refused, told of until the next success, and never seen again', async () => {
  const { store, failures, restart } = await aStore()
  await put(store, 'a')
  failures.push('before')

  await expect(put(store, 'b')).rejects.toThrow('could not be kept: Input/output error')
  expect(store.problem()).toBe('the change could not be kept: Input/output error')
  await put(store, 'c')
  expect(store.problem()).toBeUndefined()

  expect(namesIn(store)).toEqual(['a', 'c'])
  expect(namesIn(await restart())).toEqual(['a', 'c'])
})

test('what failed and is there all the same is kept, and is no problem', async () => {
  const { store, failures, restart } = await aStore()
  failures.push('after')

  await put(store, 'a')

  expect(store.problem()).toBeUndefined()
  const { revision } = store
  const again = await restart()
  expect(namesIn(again)).toEqual(['a'])
  expect(again.revision).toBe(revision)
})

test('after a change that was refused and is there, nothing is kept until a restart finds it', async () => {
  const { store, failures, restart } = await aStore()
  await put(store, 'a')
  failures.push('after', 'before')

  await expect(put(store, 'b')).rejects.toThrow('Input/output error')
  for (const name of ['c', 'd']) {
    await expect(put(store, name)).rejects.toThrow(/holds a change that was refused/)
  }

  expect(store.problem()).toContain('nothing can be kept until the store is opened anew')
  expect(namesIn(store)).toEqual(['a'])
  const again = await restart()
  expect(namesIn(again)).toEqual(['a', 'b'])
  await put(again, 'e')
})
