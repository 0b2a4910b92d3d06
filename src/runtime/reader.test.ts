import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { LABEL_PREFIX } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ForeignKind, KubeObject, ObjectMeta } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { until } from '#test/until.ts'
import { kindId } from './kind-id.ts'
import { DeclaredReader } from './reader.ts'
import { Watches } from './watches.ts'

const Namespace: ForeignKind<KubeObject> = {
  ...{ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' },
}

const SPEC = { endpoint: '10.0.0.1', version: 'v1.11.0' }
const POOL = `${LABEL_PREFIX}worker`

let api: MisbehavingApi
let client: KubeClient
let watches: Watches
let ownerUid = ''
const stop = new AbortController()
let running = Promise.resolve()

beforeAll(async () => {
  api = await startMisbehaving(() => anApi({ kinds: [Machine, Worker] }))
  client = await clientOf(api)
  const { metadata: namespace } = await client.create(Namespace, { metadata: { name: 'other' } })
  ownerUid = namespace.uid ?? ''
  const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'other', uid: ownerUid }
  const machines: Partial<ObjectMeta>[] = [
    { name: 'm2', labels: { [POOL]: 'a', zone: 'north' } },
    { name: 'm10', labels: { [POOL]: 'a', zone: 'south' } },
    { name: 'm1', labels: { [POOL]: 'b', zone: 'north' }, ownerReferences: [owner] },
    { name: 'm1', namespace: 'other', labels: { [POOL]: 'a' }, ownerReferences: [owner] },
  ]
  for (const metadata of machines) {
    await client.create(Machine, { metadata: { namespace: 'default', ...metadata }, spec: SPEC })
  }
  await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'settings' } })
  const wanted = [Machine, Worker, Namespace].map((kind) => ({ kind }))
  watches = new Watches({ client, clock: systemClock, namespaces: [] }, wanted)
  running = watches.run(stop.signal)
  await watches.whenSynced(AbortSignal.timeout(20_000))
  // One that comes late is the last in the cache, though it is not the last by name.
  const metadata = { namespace: 'default', name: 'm0', labels: { [POOL]: 'c' } }
  const { resourceVersion = '' } = (await client.create(Machine, { metadata, spec: SPEC })).metadata
  const hasSeen = async () => watches.hasSeen(Machine, 'default/m0', resourceVersion)
  await until('the last machine', hasSeen, Boolean)
  // From then on they are quiet, and the log shows what a reader asks for.
  await until(
    'the watches',
    async () => api.watchers,
    (count) => count === wanted.length,
  )
})
beforeEach(() => {
  api.log.length = 0
})
afterAll(async () => {
  stop.abort()
  await running
  client.close()
  await api[Symbol.asyncDispose]()
})

const aReader = (signal = new AbortController().signal) =>
  new DeclaredReader({
    ...{ watches, client, namespace: 'default', signal },
    reach: {
      cached: new Set([Machine, Namespace].map(kindId)),
      live: new Set([kindId(ConfigMap)]),
      any: false,
    },
  })

const keys = (objects: KubeObject[]) =>
  objects.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)

test('one object is found in the namespace of the resource, unless another is said', () => {
  const read = aReader()

  expect(read.get(Machine, 'm2')?.metadata.labels).toEqual({ [POOL]: 'a', zone: 'north' })
  expect(read.get(Machine, 'm1', 'other')?.metadata.namespace).toBe('other')
  expect(read.get(Machine, 'm2', 'other')).toBeUndefined()
  expect(read.get(Namespace, 'other')?.metadata.name).toBe('other')
})

test.each([
  [
    'of the namespace of the resource',
    () => ({}),
    ['default/m0', 'default/m1', 'default/m10', 'default/m2'],
  ],
  ['of an owner', () => ({ ownerUid }), ['default/m1']],
  ['of an owner everywhere', () => ({ ownerUid, everywhere: true }), ['default/m1', 'other/m1']],
  ['with a label of ours', () => ({ labels: { [POOL]: 'a' } }), ['default/m10', 'default/m2']],
  ['with two labels', () => ({ labels: { zone: 'north', [POOL]: 'a' } }), ['default/m2']],
  ['with a label of others', () => ({ labels: { zone: 'north' } }), ['default/m1', 'default/m2']],
  ['of an owner with a label', () => ({ ownerUid, labels: { zone: 'south' } }), []],
  [
    'everywhere',
    () => ({ labels: { [POOL]: 'a' }, everywhere: true }),
    ['default/m10', 'default/m2', 'other/m1'],
  ],
])('a list of those %s is sorted by namespace and name', (_which, choice, expected) => {
  expect(keys(aReader().list(Machine, choice()))).toEqual(expected)
})

test('what is in no namespace is listed from anywhere', () => {
  expect(keys(aReader().list(Namespace))).toEqual([
    '/default',
    '/kube-node-lease',
    '/kube-public',
    '/kube-system',
    '/other',
  ])
})

test('reading from the cache asks nobody', () => {
  const read = aReader()

  read.get(Machine, 'm1')
  read.list(Machine)

  expect(api.log).toEqual([])
})

test('a list can be changed by who asked for it, and nobody else sees that', () => {
  const read = aReader()

  read.list(Machine).length = 0

  expect(read.list(Machine)).toHaveLength(4)
})

test('one object can be fetched from the server, or is found not to be there', async () => {
  const read = aReader()

  expect((await read.fetch(ConfigMap, 'settings'))?.metadata.name).toBe('settings')
  expect(await read.fetch(ConfigMap, 'missing')).toBeUndefined()
  expect(api.log.map(({ path }) => path)).toEqual([
    '/api/v1/namespaces/default/configmaps/settings',
    '/api/v1/namespaces/default/configmaps/missing',
  ])
})

test('all of a kind can be fetched from the server, as they were since something else was so', async () => {
  const { metadata } = await client.get(Machine, { namespace: 'default', name: 'm0' })
  api.log.length = 0
  const all = await aReader().fetchAll(Machine, { metadata })

  expect(all.map(({ metadata }) => metadata.name)).toEqual(['m0', 'm1', 'm10', 'm2'])
  expect(api.log.map(({ path }) => path)).toEqual([
    expect.stringContaining(
      `/namespaces/default/talosmachines?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`,
    ),
  ])
})

test('a server that does not say is an error, and not an absence', async () => {
  const off = api.faults.answer({ status: 500 })

  await expect(aReader().fetch(ConfigMap, 'settings')).rejects.toMatchObject({ status: 500 })
  off()
})

test('when time is up nothing more is fetched', async () => {
  const read = aReader(AbortSignal.abort(new Error('time is up')))

  await expect(read.fetch(ConfigMap, 'settings')).rejects.toThrow('time is up')
  expect([read.signal.aborted, api.log]).toEqual([true, []])
})

test('what is not declared is not read, even if it is watched for somebody else', async () => {
  const read = aReader()
  const refusal = expect.objectContaining({ code: 'NotDeclared', retry: 'never' })

  expect(() => read.get(Worker, 'w1')).toThrow(refusal)
  expect(() => read.list(Worker)).toThrow('reads talosworkers, which is not among the reads')
  await expect(read.fetch(Worker, 'w1')).rejects.toEqual(refusal)
  await expect(read.fetchAll(Worker, { metadata: { name: 'w1' } })).rejects.toEqual(refusal)
  expect(api.log).toEqual([])
})

test('what is declared for the cache is not fetched, and the other way round', async () => {
  const read = aReader()

  await expect(read.fetch(Machine, 'm1')).rejects.toMatchObject({ code: 'NotDeclared' })
  expect(() => read.get(ConfigMap, 'settings')).toThrow('reads configmaps')
  expect(api.log).toEqual([])
})
