import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind, ForeignKind, KubeObject } from '#api/meta.ts'
import { OperatorError } from '#base/operator-error.ts'
import type { KubeClient } from '#kube/client.ts'
import { anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { until } from '#test/until.ts'
import { OwnWrites } from './own-writes.ts'
import { DeclaredWriter, type Write, type Writer } from './writer.ts'

const NAMESPACE = 'default'

const Namespace: ForeignKind<KubeObject> = {
  ...{ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' },
}

let api: MisbehavingApi
let client: KubeClient
beforeAll(async () => {
  api = await startMisbehaving(() => anApi())
  client = await clientOf(api)
})
afterEach(() => {
  api.log.length = 0
})
afterAll(async () => {
  client.close()
  await api[Symbol.asyncDispose]()
})

/** Caches that watch everything and are empty: whatever is written is missing in them. */
const emptyCaches = {
  has: () => true,
  get: () => undefined,
  hasSeen: () => false,
  listen: () => () => {},
}

const everything = (kind: ApiKind): Write => ({ kind, verbs: ['create', 'patch', 'delete'] })

function aWriter(
  writes: Write[] = [Machine, ConfigMap, Namespace].map(everything),
  caches: ConstructorParameters<typeof OwnWrites>[0] = emptyCaches,
) {
  const stop = new AbortController()
  const leading = { asked: 0, isLost: false }
  const ownWrites = new OwnWrites(caches, new FakeClock())
  const write = new DeclaredWriter({
    ...{ client, writes, ownWrites, namespace: NAMESPACE, signal: stop.signal },
    assertLeading: () => {
      leading.asked++
      if (leading.isLost)
        throw new OperatorError('LeadershipLost', { message: 'somebody else leads' })
    },
  })
  /** The keys that the next look waits for. */
  const awaited = () => ownWrites.seen(1, AbortSignal.abort())
  return { write, stop, leading, awaited }
}

const aMap = (name: string, value = '') => ({ metadata: { name }, data: { value } })
const get = (name: string) => client.find(ConfigMap, { namespace: NAMESPACE, name })

const verbs: [verb: string, act: (write: Writer, name: string) => Promise<unknown>][] = [
  ['create', (write, name) => write.create(ConfigMap, aMap(name))],
  ['apply', (write, name) => write.apply(ConfigMap, aMap(name))],
  ['patch', (write, name) => write.patch(ConfigMap, name, { type: 'merge', body: {} })],
  ['remove', (write, name) => write.remove(ConfigMap, name)],
]

test.each(verbs)('to %s what is not declared is refused before any call', async (_verb, act) => {
  const { write } = aWriter([everything(Machine)])

  await expect(act(write, 'never')).rejects.toMatchObject({ code: 'NotDeclared', retry: 'never' })
  expect(api.log).toEqual([])
})

test.each([
  ['create', ['patch', 'delete']],
  ['apply', ['patch', 'delete']],
  ['apply', ['create', 'delete']],
  ['patch', ['create', 'delete']],
  ['remove', ['create', 'patch']],
] as const)('to %s with %j declared is refused', async (verb, declared) => {
  const { write } = aWriter([{ kind: ConfigMap, verbs: declared }])
  const act = new Map(verbs).get(verb)

  await expect(act?.(write, 'never')).rejects.toMatchObject({ code: 'NotDeclared' })
  expect(api.log).toEqual([])
})

test.each(verbs)('who no longer leads may not %s anything', async (_verb, act) => {
  const { write, leading } = aWriter()
  leading.isLost = true

  await expect(act(write, 'never')).rejects.toMatchObject({ code: 'LeadershipLost' })
  expect(leading.asked).toBeGreaterThan(0)
  expect(api.log).toEqual([])
})

test('whether we lead is asked before each write', async () => {
  const { write, leading } = aWriter()
  await write.create(ConfigMap, aMap('first'))
  leading.isLost = true

  await expect(write.create(ConfigMap, aMap('second'))).rejects.toThrow('somebody else leads')

  expect([await get('first'), await get('second')]).toMatchObject([aMap('first'), undefined])
})

test('what is created is in the namespace of the resource, in our name', async () => {
  const { write, awaited } = aWriter()

  const made = await write.create(ConfigMap, aMap('made'))

  expect(made?.metadata).toMatchObject({ name: 'made', namespace: NAMESPACE })
  expect(api.log[0]?.path).toContain('fieldManager=talos-operator')
  expect(await awaited()).toEqual(['configmaps default/made'])
})

test('another namespace can be said', async () => {
  const { write, awaited } = aWriter()

  await write.create(ConfigMap, { metadata: { name: 'far', namespace: 'kube-system' } })

  expect(await client.find(ConfigMap, { namespace: 'kube-system', name: 'far' })).toBeDefined()
  expect(await awaited()).toEqual(['configmaps kube-system/far'])
})

test('what exists already is left alone, and yields nothing', async () => {
  const { write, awaited } = aWriter()
  await client.create(ConfigMap, {
    metadata: { name: 'there', namespace: NAMESPACE },
    data: { value: 'theirs' },
  })

  const made = await write.create(ConfigMap, aMap('there', 'ours'))

  expect(made).toBeUndefined()
  expect((await get('there'))?.data).toEqual({ value: 'theirs' })
  expect(await awaited()).toEqual([])
})

test('every other refusal is an error', async () => {
  const { write } = aWriter()
  const off = api.faults.answer({ status: 403 })

  await expect(write.create(ConfigMap, aMap('no'))).rejects.toMatchObject({ reason: 'Forbidden' })
  await expect(write.remove(ConfigMap, 'no')).rejects.toMatchObject({ reason: 'Forbidden' })
  off()
})

test('what is applied is made so, whoever had it before', async () => {
  const { write, awaited } = aWriter()
  const applied = await write.apply(ConfigMap, aMap('applied', 'ours'))
  const metadata = { name: 'applied', namespace: NAMESPACE }
  const theirs = { metadata, data: { value: 'theirs' } }
  await client.apply(ConfigMap, theirs, { fieldManager: 'somebody', force: true })

  const again = await write.apply(ConfigMap, aMap('applied', 'ours'))

  expect([applied.data, again.data]).toEqual([{ value: 'ours' }, { value: 'ours' }])
  expect(await awaited()).toEqual(['configmaps default/applied'])
})

test('a patch is made in the namespace of the resource', async () => {
  const { write, awaited } = aWriter()
  await write.create(ConfigMap, aMap('patched'))

  const patched = await write.patch(ConfigMap, 'patched', {
    type: 'merge',
    body: { data: { value: 'new' } },
  })

  expect(patched.data).toEqual({ value: 'new' })
  expect(await awaited()).toEqual(['configmaps default/patched'])
})

test('what is removed is gone, and was gone is fine', async () => {
  const { write } = aWriter()
  await write.create(ConfigMap, aMap('short-lived'))

  await write.remove(ConfigMap, 'short-lived')
  await write.remove(ConfigMap, 'short-lived')

  expect(await get('short-lived')).toBeUndefined()
})

test('a successor that the cache shows before the answer is not waited for', async () => {
  const uids = ['first', 'second', 'second']
  const shown = () => ({ metadata: { name: 'removed', uid: uids.shift() ?? 'second' } })
  const { write, awaited } = aWriter(undefined, { ...emptyCaches, get: shown })

  await write.remove(ConfigMap, 'removed')

  expect(await awaited()).toEqual([])
})

test('what is removed is waited for while the cache shows it', async () => {
  const shown = () => ({ metadata: { name: 'removed', uid: 'first' } })
  const { write, awaited } = aWriter(undefined, { ...emptyCaches, get: shown })

  await write.remove(ConfigMap, 'removed')

  expect(await awaited()).toEqual(['configmaps default/removed'])
})

test('of a name that is another object’s by now nothing is removed', async () => {
  const { write, awaited } = aWriter()
  await client.create(ConfigMap, { metadata: { name: 'reborn', namespace: NAMESPACE } })

  const removing = write.remove(ConfigMap, 'reborn', { uid: 'of-the-one-before' })

  await expect(removing).rejects.toMatchObject({ reason: 'Conflict' })
  expect(await get('reborn')).toBeDefined()
  expect(await awaited()).toEqual([])
})

test('what is in no namespace is written as such', async () => {
  const { write } = aWriter()

  await write.create(Namespace, { metadata: { name: 'new' } })
  await write.patch(Namespace, 'new', { type: 'merge', body: { metadata: { labels: { a: 'b' } } } })
  const patched = await client.get(Namespace, { name: 'new' })
  await write.remove(Namespace, 'new')

  expect(patched.metadata.labels).toMatchObject({ a: 'b' })
  const look = () => client.find(Namespace, { name: 'new' })
  await until('it to go', look, (seen) => seen === undefined)
})

test('when time is up nothing more is written', async () => {
  const { write, stop } = aWriter()
  stop.abort(new Error('time is up'))

  await expect(write.create(ConfigMap, aMap('late'))).rejects.toThrow('time is up')

  expect(await get('late')).toBeUndefined()
})
