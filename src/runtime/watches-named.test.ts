import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigMap, Node, Secret } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { Discovery } from '#kube/discovery.ts'
import { anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { until } from '#test/until.ts'
import type { NamedObject } from './fetch-any-object.ts'
import { NamedWatches } from './watches-named.ts'

const QUICK = { shortestWatchMs: 1, backoff: { firstMs: 20, mostMs: 50, jitter: 0 } }
const namespace = 'default'

let api: MisbehavingApi
let client: KubeClient
const stop: AbortController[] = []
const running: Promise<void>[] = []
beforeEach(async () => {
  api = await startMisbehaving(() => anApi({ kinds: [Machine] }))
  client = await clientOf(api)
})
afterEach(async () => {
  for (const one of stop.splice(0)) one.abort()
  await Promise.all(running.splice(0))
  client.close()
  await api[Symbol.asyncDispose]()
})

/** Watches that run until the test ends, and who was woken. */
function watch({ namespaces = [], clock = systemClock }: Partial<Options> = {}) {
  const discovery = new Discovery({ client, clock })
  const woken: string[] = []
  const named = new NamedWatches({
    ...{ client, clock, namespaces, timing: QUICK },
    kindOf: (ref, signal) => discovery.kindOf(ref, signal),
  })
  const one = new AbortController()
  stop.push(one)
  running.push(named.run(one.signal))
  const follow = (who: string, ...objects: NamedObject[]) =>
    named.follow(who, objects, { namespace, wake: () => void woken.push(who) })
  return { named, woken, follow }
}

interface Options {
  namespaces: string[]
  clock: Clock
}

const untilWoken = (woken: string[], who: string) =>
  until(
    `${who} to be woken`,
    async () => woken,
    () => woken.includes(who),
  )

const endpointOf = (name: string): NamedObject => ({
  ...{ apiVersion: 'talos.alperen.cloud/v1alpha1', kind: 'TalosMachine', name },
  part: (object) => Object(object).spec?.endpoint,
})
const configMap = (name: string): NamedObject => ({ apiVersion: 'v1', kind: 'ConfigMap', name })
const aNode = (name: string): NamedObject => ({ apiVersion: 'v1', kind: 'Node', name })

const makeMachine = (name: string, place = namespace) =>
  client.create(Machine, {
    metadata: { namespace: place, name },
    spec: { endpoint: '10.0.0.1', version: 'v1.11.0' },
  })
const patchMachine = (name: string, spec: object) =>
  client.patch(Machine, { namespace, name }, { type: 'merge', body: { spec } })

test('what is other in the part that matters wakes, and what is other elsewhere does not', async () => {
  await makeMachine('m1')
  await makeMachine('m2')
  const { woken, follow } = watch()
  follow('a', endpointOf('m1'))
  await untilWoken(woken, 'a')
  woken.length = 0
  follow('b', endpointOf('m2'))

  await patchMachine('m1', { version: 'v1.12.0' })
  await patchMachine('m2', { endpoint: '10.0.0.2' })
  await untilWoken(woken, 'b')
  expect(woken).not.toContain('a')
  await patchMachine('m1', { endpoint: '10.0.0.3' })

  await untilWoken(woken, 'a')
})

test('an object wakes when it appears, when it goes and when it is made anew', async () => {
  const { woken, follow } = watch()
  follow('a', endpointOf('m1'))
  await untilWoken(woken, 'a')

  for (const change of [
    () => makeMachine('m1'),
    () => client.remove(Machine, { namespace, name: 'm1' }),
    () => makeMachine('m1'),
  ]) {
    woken.length = 0
    await change()
    await untilWoken(woken, 'a')
  }
})

test('an object of another namespace is another object, and one of none is that of everybody', async () => {
  const { woken, follow } = watch()
  follow('a', endpointOf('m1'))
  follow('b', aNode('n1'))
  await untilWoken(woken, 'a')
  await untilWoken(woken, 'b')
  woken.length = 0

  await makeMachine('m1', 'kube-system')
  await client.create(Node, { metadata: { name: 'n1' } })
  await untilWoken(woken, 'b')
  expect(woken).not.toContain('a')
  await makeMachine('m1')

  await untilWoken(woken, 'a')
})

test('one watch shows all objects of a kind, and ends with the last who names one', () => {
  const { named, follow } = watch()
  follow('a', endpointOf('m1'), endpointOf('m2'))
  follow('b', endpointOf('m3'), aNode('n1'))
  expect(named.size).toBe(2)

  follow('b', aNode('n1'))
  named.forget('a')
  expect(named.size).toBe(1)
  named.forget('b')
  expect(named.size).toBe(0)
})

test('who no longer names an object is not woken by it', async () => {
  const { named, woken, follow } = watch()
  follow('a', endpointOf('m1'))
  follow('b', endpointOf('m1'))
  await untilWoken(woken, 'b')
  woken.length = 0
  follow('a', endpointOf('m2'))

  await makeMachine('m1')
  await untilWoken(woken, 'b')
  named.forget('b')

  expect(woken).not.toContain('a')
})

test('ConfigMaps are watched by their names, and never all of them', async () => {
  const { woken, follow } = watch()
  follow('a', configMap('one'))
  await untilWoken(woken, 'a')
  woken.length = 0
  await client.create(ConfigMap, { metadata: { namespace, name: 'two' } })
  await client.create(ConfigMap, { metadata: { namespace, name: 'one' }, data: { a: '1' } })
  await untilWoken(woken, 'a')
  woken.length = 0
  await client.patch(
    ConfigMap,
    { namespace, name: 'one' },
    { type: 'merge', body: { data: { a: '2' } } },
  )
  await untilWoken(woken, 'a')

  const reads = api.log.filter(
    ({ method, path }) => method === 'GET' && path.includes('configmaps'),
  )
  expect(reads.length).toBeGreaterThan(1)
  for (const { path } of reads) {
    expect(decodeURIComponent(path)).toContain('/namespaces/default/configmaps?')
    expect(decodeURIComponent(path)).toContain('fieldSelector=metadata.name=one')
  }
})

test('a name is no selector', async () => {
  const { woken, follow } = watch()
  follow('a', configMap('one,metadata.namespace=kube-system'))
  await client.create(ConfigMap, { metadata: { namespace, name: 'one' } })

  await untilWoken(woken, 'a')

  const [first] = api.log.filter(({ path }) => path.includes('configmaps?'))
  expect(decodeURIComponent(first?.path ?? '')).toContain(
    String.raw`metadata.name=one\,metadata.namespace\=kube-system`,
  )
})

test('no Secret is watched for who names it', async () => {
  const { woken, follow } = watch()
  follow('a', { apiVersion: 'v1', kind: 'Secret', name: 'keys' })
  follow('b', aNode('n1'))
  await client.create(Secret, { metadata: { namespace, name: 'keys' } })
  await untilWoken(woken, 'b')

  expect(woken).not.toContain('a')
  expect(api.log.filter((one) => one.method === 'GET' && one.path.includes('secrets'))).toEqual([])
})

test('where only some namespaces are looked at, only they are watched', async () => {
  const { woken, follow } = watch({ namespaces: [namespace, 'other'] })
  follow('a', endpointOf('m1'))
  follow('b', aNode('n1'))
  await untilWoken(woken, 'a')
  await untilWoken(woken, 'b')

  const paths = api.log.map(({ path }) => path.replace(/\?.*/, ''))
  expect(paths).toContain('/apis/talos.alperen.cloud/v1alpha1/namespaces/default/talosmachines')
  expect(paths).not.toContain('/apis/talos.alperen.cloud/v1alpha1/talosmachines')
  expect(paths).toContain('/api/v1/nodes')
})

test('what may not be watched wakes each minute, and at once when it may', async () => {
  const clock = new FakeClock()
  const off = api.faults.answer({ status: 403, match: (_, path) => path.includes('nodes?') })
  const { woken, follow } = watch({ clock })
  follow('a', aNode('n1'))
  await until(
    'a refusal',
    async () => api.log.length,
    () => api.log.some(({ path }) => path.includes('nodes?')),
  )
  expect(woken).toEqual([])

  await clock.advance(60_000)
  expect(woken).toContain('a')
  off()
  woken.length = 0
  await until(
    'the first list',
    () => clock.advance(100),
    () => woken.length > 0,
  )
})

test('a kind that is installed later is watched then', async () => {
  const clock = new FakeClock()
  const off = api.faults.answer({ status: 404, match: (_, path) => path.endsWith('/v1alpha1') })
  const { woken, follow } = watch({ clock })
  follow('a', endpointOf('m1'))
  await until(
    'the question for the kind',
    async () => api.log.length,
    (asked) => asked > 0,
  )
  off()

  await until(
    'the first list',
    () => clock.advance(5_000),
    () => woken.length > 0,
  )
})

test('there are at most 200 watches; who is one too many gets the next that is free', () => {
  const never = new Promise<never>(() => {})
  const named = new NamedWatches({
    ...{ client, clock: new FakeClock(), namespaces: [], kindOf: () => never },
  })
  const one = new AbortController()
  void named.run(one.signal)
  for (let at = 0; at < 202; at++) {
    named.follow(`${at}`, [configMap(`${at}`)], { namespace, wake: () => {} })
  }
  expect(named.size).toBe(200)

  named.forget('0')
  named.forget('1')
  expect(named.size).toBe(200)
  named.forget('2')
  expect(named.size).toBe(199)
})
