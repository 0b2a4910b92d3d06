import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Worker } from '#api/worker.ts'
import { systemClock } from '#base/clock.ts'
import { anApi } from '#test/an-api.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { KubeClient } from './client.ts'
import { Discovery } from './discovery.ts'
import { kubeconfigAccess } from './kubeconfig.ts'

const { signal } = new AbortController()
const LEASE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }
const WORKER = { apiVersion: 'talos.alperen.cloud/v1alpha1', kind: 'TalosWorker' }

let api: MisbehavingApi
let client: KubeClient
let clock: FakeClock
let discovery: Discovery
beforeEach(async () => {
  api = await startMisbehaving(() => anApi({ kinds: [Worker] }))
  const places = { path: api.kubeconfig, env: {}, homeFolder: '/nowhere' }
  const access = await kubeconfigAccess({ ...places, clock: systemClock })
  client = new KubeClient({ access, clock: systemClock, userAgent: 'test' })
  clock = new FakeClock()
  discovery = new Discovery({ client, clock })
})
afterEach(async () => {
  client.close()
  await api[Symbol.asyncDispose]()
})

const requests = (): number => api.log.filter(({ path }) => path.startsWith('/api')).length

describe('a kind is found by what a user writes', () => {
  test('with its plural, its scope, and what can be done with it', async () => {
    expect(await discovery.kindOf(WORKER, signal)).toEqual({
      group: 'talos.alperen.cloud',
      version: 'v1alpha1',
      kind: 'TalosWorker',
      plural: 'talosworkers',
      scope: 'Namespaced',
      verbs: expect.arrayContaining(['get', 'list', 'watch', 'patch']),
      subresources: ['status'],
    })
  })

  test('in the core group, in no namespace, and can be asked for its objects', async () => {
    const kind = await discovery.kindOf({ apiVersion: 'v1', kind: 'Namespace' }, signal)

    expect(kind).toMatchObject({ group: '', plural: 'namespaces', scope: 'Cluster' })
    expect(kind && (await client.get(kind, { name: 'default' })).metadata.name).toBe('default')
  })

  test.each([
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Leese' },
    { apiVersion: 'coordination.k8s.io/v9', kind: 'Lease' },
    { apiVersion: 'nobody.example/v1', kind: 'Lease' },
    { apiVersion: 'v1', kind: 'namespaces' },
    { apiVersion: '', kind: 'Namespace' },
    { apiVersion: '../version', kind: 'Namespace' },
    { apiVersion: 'apps/v1/x', kind: 'Deployment' },
    { apiVersion: 'APPS/v1?x=1', kind: 'Deployment' },
  ])('and not at all where it is not served: %j', async (named) => {
    expect(await discovery.kindOf(named, signal)).toBeUndefined()
  })

  test('and what is no name is not asked for', async () => {
    await discovery.kindOf({ apiVersion: '../version', kind: 'x' }, signal)

    expect(requests()).toBe(0)
  })
})

describe('what was told', () => {
  test('is kept, and asked for once by all who want it at the same time', async () => {
    await Promise.all([discovery.kindOf(LEASE, signal), discovery.kindOf(LEASE, signal)])

    await clock.advance(9 * 60_000)
    await discovery.kindOf(LEASE, signal)

    expect(requests()).toBe(1)
  })

  test('is asked for again after some minutes', async () => {
    await discovery.kindOf(LEASE, signal)

    await clock.advance(10 * 60_000)
    await discovery.kindOf(LEASE, signal)

    expect(requests()).toBe(2)
  })

  test('is asked for again when a kind is not in it, but not every time', async () => {
    const unknown = { ...LEASE, kind: 'Leese' }
    await discovery.kindOf(LEASE, signal)

    await clock.advance(5_000)
    for (let count = 0; count < 3; count++) await discovery.kindOf(unknown, signal)
    expect(requests()).toBe(2)
    await clock.advance(5_000)
    await discovery.kindOf(unknown, signal)

    expect(requests()).toBe(3)
  })

  test('of what is not served is kept for a bounded number of names', async () => {
    const ask = (index: number) => discovery.kinds(`group-${index}.example/v1`, signal)
    for (let index = 0; index < 201; index++) await ask(index)
    const before = requests()

    await ask(200)
    expect(requests()).toBe(before)
    await ask(0)

    expect(requests()).toBe(before + 1)
  })

  test.each([
    'hello',
    'null',
    '{}',
    '{"kind":"APIResourceList","resources":[{"name":"leases"}]}',
    '{"kind":"APIResourceList","resources":[{"name":"","kind":"A","namespaced":true,"verbs":[]}]}',
  ])('and is no list of resources is an error: %s', async (text) => {
    api.faults.say((_, path) => path.startsWith('/apis/'), text)

    await expect(discovery.kindOf(LEASE, signal)).rejects.toMatchObject({ reason: 'Garbled' })
  })

  test('with an error is not kept', async () => {
    api.faults.answer({ status: 500, times: 1 })
    await expect(discovery.kindOf(LEASE, signal)).rejects.toMatchObject({ status: 500 })

    expect(await discovery.kindOf(LEASE, signal)).toBeDefined()
  })

  test('may be nothing', async () => {
    const empty = '{"kind":"APIResourceList","resources":null}'
    api.faults.say((_, path) => path.startsWith('/apis/'), empty)

    expect(await discovery.kinds(LEASE.apiVersion, signal)).toEqual([])
  })
})
