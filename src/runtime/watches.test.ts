import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { LABEL_PREFIX } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ObjectMeta } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { until } from '#test/until.ts'
import { type Wanted, Watches } from './watches.ts'

const MACHINES = 'talosmachines.talos.alperen.cloud'

const SPEC = { endpoint: '10.0.0.1', version: 'v1.11.0' }

const QUICK = { shortestWatchMs: 1, backoff: { firstMs: 20, mostMs: 50, jitter: 0 } }

let api: MisbehavingApi
let client: KubeClient
const stop: AbortController[] = []
const running: Promise<void>[] = []
beforeEach(async () => {
  api = await startMisbehaving(() => anApi({ kinds: [Machine, Worker] }))
  client = await clientOf(api)
})
afterEach(async () => {
  for (const one of stop.splice(0)) one.abort()
  await Promise.all(running.splice(0))
  client.close()
  await api[Symbol.asyncDispose]()
})

/** Watches that run until the test ends, and the states that they told. */
function watch(wanted: Wanted[], namespaces: string[] = []) {
  const told: string[] = []
  const watches = new Watches(
    {
      ...{ client, clock: systemClock, namespaces, timing: QUICK },
      onState: ({ kind }, { state }) => void told.push(`${kind} ${state}`),
    },
    wanted,
  )
  const one = new AbortController()
  stop.push(one)
  running.push(watches.run(one.signal))
  return { watches, told }
}

async function watchWell(wanted: Wanted[], namespaces: string[] = []) {
  const parts = watch(wanted, namespaces)
  await parts.watches.whenSynced(AbortSignal.timeout(20_000))
  return parts
}

const aMachine = (name: string, metadata: Partial<ObjectMeta> = {}) =>
  client.create(Machine, { metadata: { namespace: 'default', name, ...metadata }, spec: SPEC })

const names = (objects: { metadata: ObjectMeta }[]) =>
  objects.map(({ metadata }) => metadata.name).sort()

const aNamespace = (name: string) =>
  api.send({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  })

test('however many want a kind, it is listed once, and found by what each of them asked for', async () => {
  await aMachine('m1', { annotations: { rack: 'r1', colour: 'red' } })
  const by = (key: string) => (object: { metadata: ObjectMeta }) =>
    [object.metadata.annotations?.[key]].flatMap((value) => value ?? [])

  const { watches } = await watchWell([
    { kind: Machine, indexes: { rack: by('rack') } },
    { kind: Machine },
    { kind: Machine, indexes: { colour: by('colour') } },
  ])

  expect(names(watches.find(Machine, 'rack', 'r1'))).toEqual(['m1'])
  expect(names(watches.find(Machine, 'colour', 'red'))).toEqual(['m1'])
  const lists = api.log.filter(
    ({ path }) => path.includes('talosmachines') && !path.includes('watch='),
  )
  expect(lists.filter(({ method }) => method === 'GET')).toHaveLength(1)
})

test('objects are found by key, by owner, by a label of ours, or all of them', async () => {
  const { metadata } = await client.create(ConfigMap, {
    metadata: { namespace: 'default', name: 'owner' },
  })
  const { uid = '' } = metadata
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }
  await aMachine('owned', { ownerReferences: [owner] })
  await aMachine('labelled', { labels: { [`${LABEL_PREFIX}worker`]: 'w1', other: 'x' } })
  await aMachine('plain', { labels: { other: 'x' } })

  const { watches } = await watchWell([{ kind: Machine }])

  expect(watches.get(Machine, 'default/plain')?.metadata.name).toBe('plain')
  expect(watches.get(Machine, 'other/plain')).toBeUndefined()
  expect(names(watches.list(Machine, { ownerUid: uid }))).toEqual(['owned'])
  expect(names(watches.list(Machine, { ownerUid: 'nobody' }))).toEqual([])
  const labels = { other: 'x', [`${LABEL_PREFIX}worker`]: 'w1' }
  expect(names(watches.list(Machine, { labels }))).toEqual(['labelled'])
  expect(names(watches.list(Machine, {}))).toEqual(['labelled', 'owned', 'plain'])
  expect(watches.sizes).toEqual({ [MACHINES]: 3 })
})

test('changes are told, and seen, until the listener leaves', async () => {
  const { watches } = await watchWell([{ kind: Machine }])
  const told: string[] = []
  const leave = watches.listen(Machine, ({ type, object }) =>
    told.push(`${type} ${object.metadata.name}`),
  )

  const { metadata } = await aMachine('m1')
  const hasSeen = async () => watches.hasSeen(Machine, 'default/m1', metadata.resourceVersion ?? '')
  await until('the first machine', hasSeen, Boolean)
  leave()
  await aMachine('m2')
  await until(
    'the second one',
    async () => watches.sizes[MACHINES],
    (size) => size === 2,
  )

  expect(told).toEqual(['added m1'])
  expect(watches.hasSeen(Machine, 'default/m1', '999999')).toBe(false)
})

test('what is written where nobody watches counts as seen', async () => {
  await aNamespace('watched')
  const { watches } = await watchWell([{ kind: Machine }], ['watched'])

  expect(watches.hasSeen(Machine, 'elsewhere/m1', '999999')).toBe(true)
  expect(watches.hasSeen(Machine, 'watched/m1', '999999')).toBe(false)
})

test('a kind that is not watched is an error, and not an empty list', async () => {
  const { watches } = watch([{ kind: Machine }])

  expect([watches.has(Machine), watches.has(Worker)]).toEqual([true, false])
  expect(() => watches.list(Worker, {})).toThrow('talosworkers.talos.alperen.cloud is not watched')
})

describe('what does not work', () => {
  const refuse = (path: string) =>
    api.faults.answer({ match: (_method, asked) => asked.includes(path), status: 403 })

  test('keeps the kinds that were not listed yet from being synced', async () => {
    const off = refuse('talosmachines')
    const { watches, told } = watch([{ kind: Machine }, { kind: Worker }])
    await until(
      'the workers',
      async () => watches.unsynced,
      (left) => left.length === 1,
    )
    const impatient = new AbortController()
    const waiting = watches.whenSynced(impatient.signal)

    impatient.abort(new Error('that takes too long'))

    await expect(waiting).rejects.toThrow('that takes too long')
    expect(watches.unsynced).toEqual([MACHINES])
    off()
    await watches.whenSynced(AbortSignal.timeout(20_000))

    expect(watches.unsynced).toEqual([])
    expect(told).toContain('TalosMachine failed')
  })

  test('is broken until it is watched again, and not while it works', async () => {
    const { watches } = await watchWell([{ kind: Machine }, { kind: Worker }])
    expect(watches.broken).toEqual([])
    await until(
      'both watches',
      async () => api.watchers,
      (count) => count === 2,
    )

    const off = refuse('talosmachines')
    api.faults.dropWatches()
    const look = async () => watches.broken
    const broken = await until('the watch to break', look, ([first]) => (first?.forMs ?? 0) > 0)
    off()

    expect(broken.map(({ kind }) => kind)).toContain(MACHINES)
    await until('the watch to mend', look, (left) => left.length === 0)
  })

  test('in one namespace is not hidden by another one that works', async () => {
    for (const name of ['one', 'two']) await aNamespace(name)
    const off = refuse('/namespaces/one/')
    const { watches, told } = watch([{ kind: Machine }], ['one', 'two'])
    const look = async () => watches.broken
    const [before] = await until('the watch to break', look, ([first]) => (first?.forMs ?? 0) > 0)

    // The other watch ends and begins again, as each does after some minutes.
    const times = async () => told.filter((state) => state.endsWith('watching')).length
    await until('the other watch', times, (seen) => seen > 0)
    const wanted = (await times()) + 2
    await until(
      'the other watch again',
      async () => {
        api.faults.endWatches()
        return times()
      },
      (seen) => seen >= wanted,
    )

    expect(watches.broken).toEqual([{ kind: MACHINES, forMs: expect.any(Number) }])
    expect(watches.broken[0]?.forMs).toBeGreaterThan(before?.forMs ?? Infinity)
    off()
    await until('the watch to mend', look, (left) => left.length === 0)
  })
})
