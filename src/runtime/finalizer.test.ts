import { afterAll, beforeAll, expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { finalizerOf } from '#api/meta.ts'
import type { KubeClient } from '#kube/client.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizer.ts'

const OURS = finalizerOf(Machine)
const THEIRS = 'backup.example.com/keep'
const SPEC = { endpoint: '10.0.0.1', version: 'v1.11.0' }
const namespace = 'default'
const { signal } = new AbortController()

let api: AnApi
let client: KubeClient
beforeAll(async () => {
  api = await anApi({ kinds: [Machine] })
  client = await clientOf(api)
})
afterAll(async () => {
  client.close()
  await api[Symbol.asyncDispose]()
})

const make = (name: string, finalizers: string[] = []) =>
  client.create(Machine, { metadata: { namespace, name, finalizers }, spec: SPEC })
const get = (name: string) => client.find(Machine, { namespace, name })

test('it is put beside those of others, and taken away without them', async () => {
  const resource = await make('shared', [THEIRS])

  const held = await addFinalizer(client, Machine, { resource, signal })
  expect(held.metadata.finalizers).toEqual([THEIRS, OURS])
  expect([hasFinalizer(Machine, resource), hasFinalizer(Machine, held)]).toEqual([false, true])
  const released = await removeFinalizer(client, Machine, { resource: held, signal })

  expect(released.metadata.finalizers).toEqual([THEIRS])
})

test('an object that is being deleted goes when the last one is taken away', async () => {
  const resource = await make('leaving', [OURS])
  await client.remove(Machine, { namespace, name: 'leaving' })
  const leaving = await get('leaving')

  await removeFinalizer(client, Machine, { resource: leaving ?? resource, signal })

  expect(leaving?.metadata.deletionTimestamp).toBeDefined()
  expect(await get('leaving')).toBeUndefined()
})

test('a list that has changed since is not overwritten', async () => {
  const old = await make('contested')
  const body = { metadata: { finalizers: [THEIRS] } }
  await client.patch(Machine, { namespace, name: 'contested' }, { type: 'merge', body })

  const adding = addFinalizer(client, Machine, { resource: old, signal })

  await expect(adding).rejects.toMatchObject({ reason: 'Conflict' })
  expect((await get('contested'))?.metadata.finalizers).toEqual([THEIRS])
})

test('another object of the same name is left alone', async () => {
  const old = await make('reborn')
  await client.remove(Machine, { namespace, name: 'reborn' })
  const fresh = await make('reborn')
  // Whatever the version: as after a restore of the server, where versions come twice.
  const { resourceVersion } = fresh.metadata
  const resource = { metadata: { ...old.metadata, ...(resourceVersion && { resourceVersion }) } }

  const adding = addFinalizer(client, Machine, { resource, signal })

  await expect(adding).rejects.toMatchObject({ reason: 'Invalid' })
  expect(await get('reborn')).toEqual(fresh)
})

test('an object without finalizers has not got ours', () => {
  expect(hasFinalizer(Machine, { metadata: { name: 'm1' } })).toBe(false)
})
