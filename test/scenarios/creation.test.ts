import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { ConfigMap, Secret } from '#api/foreign.ts'
import { INSTALL_DISK } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { type ApiKind, apiVersionOf } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { wordsFor } from './boundary.ts'
import { bootstrapsIn, brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { OURS } from './objects.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf, untilGone, untilReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.7', machines: 3, versions: QUICK })
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

// One life of one cluster: each test begins where the one before it ended.

const configOf = (number: number) => world.fleet.machine(world.address(number))?.config
const inConfig = (number: number, ...path: string[]) =>
  new ConfigPlace(configOf(number)?.legacy?.fields).text(...path)
const machineAt = (parent: string, number: number) =>
  [Machine, `${parent}-${world.address(number)}`] as const

const KMSG = {
  apiVersion: 'v1alpha1',
  kind: 'KmsgLogConfig',
  name: 'all',
  url: 'tcp://192.0.2.9:1',
}
const sysctl = (name: string) => ({ machine: { sysctls: { [name]: '1' } } })

/** With patches and documents for all of its machines and for its only one. */
function withPatches<Made extends { spec: object }>(made: Made, number: number) {
  const hostname = `machine-${number}`
  return {
    ...made,
    spec: {
      ...made.spec,
      metalSpec: {
        machineSpec: { configPatches: [sysctl('for.all')], additionalConfig: [KMSG] },
        machines: [
          {
            address: world.address(number),
            configPatches: [sysctl('for.one'), { machine: { network: { hostname } } }],
            additionalConfig: [{ ...KMSG, name: 'one' }],
          },
        ],
      },
    },
  }
}

const pool = (name: string, number: number) =>
  workerIn(world, { name, joins: 'cp', machines: [number] })

test('a cluster of parts by reference says which is missing, and is Ready when they are', {
  timeout: LONG,
}, async () => {
  await world.objects.apply({
    ...{ apiVersion: apiVersionOf(Cluster), kind: Cluster.kind },
    metadata: { name: 'one' },
    spec: { controlPlaneRef: { name: 'cp' }, workerRef: { name: 'a' } },
  })
  const missing = await untilSays(world, [Cluster, 'one'], {
    ...{ type: 'Ready', reason: 'ReferenceNotFound' },
  })

  await world.objects.apply(withPatches(controlPlaneIn(world, 'cp', [1]), 1))
  await world.objects.apply(withPatches(pool('a', 2), 2))
  await world.objects.apply(pool('b', 3))
  await untilReady(world, 'one')
  await untilSo([Worker, 'b'])

  expect(missing).toContain('TalosControlPlane cp is not there')
  expect(world.fleet.machines.map(({ type }) => type)).toEqual(['controlplane', 'worker', 'worker'])
  expect(bootstrapsIn(world)).toBe(1)
  expect(await brokenInvariants(world)).toEqual([])
})

const untilSo = (of: readonly [ApiKind, string]): Promise<void> =>
  world.until(
    `${of[1]} to be Ready`,
    async () => (await conditionOf(world, of, 'Ready'))?.status === 'True',
  )

test.each([
  ['cp', 1],
  ['a', 2],
])(
  'machines of %s have the patches and documents of their pool and their own, and their name',
  async (parent, number) => {
    expect(inConfig(number, 'machine', 'sysctls', 'for.all')).toBe('1')
    expect(inConfig(number, 'machine', 'sysctls', 'for.one')).toBe('1')
    const documents = configOf(number)?.documents ?? []
    expect(documents.map(({ kind }) => kind.kind)).toEqual(['', 'KmsgLogConfig', 'KmsgLogConfig'])
    expect(world.fleet.machine(world.address(number))?.hostname).toBe(`machine-${number}`)
    const object = await world.objects.find(...machineAt(parent, number))
    expect(object?.status?.hostname).toBe(`machine-${number}`)
  },
)

test('the disk that was picked is written down, and is the one in the configuration', async () => {
  for (const [parent, number] of [
    ['cp', 1],
    ['a', 2],
    ['b', 3],
  ] as const) {
    const object = await world.objects.find(...machineAt(parent, number))
    const disk = object?.metadata.annotations?.[INSTALL_DISK]
    expect(disk).toMatch(/^\/dev\//)
    expect(inConfig(number, 'machine', 'install', 'disk')).toBe(disk)
  }
})

test('what a user needs is in Secrets of the published names, and the keys are made once', async () => {
  const secrets = await world.objects.list(Secret)
  const keysOf = new Map(
    secrets.map(({ metadata, data }) => [metadata.name, Object.keys(data ?? {})]),
  )
  expect(Object.fromEntries(keysOf)).toMatchObject({
    'cp-kubeconfig': ['kubeconfig'],
    'cp-talosconfig': ['cp.talosconfig'],
    'cp-secrets': ['secrets.yaml'],
    'cp-config': ['controlplane.yaml'],
    'a-config': ['worker.yaml'],
    'b-config': ['worker.yaml'],
  })
  expect(keysOf.get('cp-state')?.toSorted()).toEqual([
    ...['bundleConfig', 'config', 'observedKubeVersion', 'secretBundle', 'state'],
  ])
  const bundle = secrets.find(({ metadata }) => metadata.name === 'cp-secrets')
  expect(bundle?.immutable).toBe(true)
  expect(bundle?.metadata.ownerReferences).toBeUndefined()
  const made = world.history.filter((call) => wordsFor(call).includes('POST secrets/cp-secrets'))
  expect(made).toHaveLength(1)
})

test('what is shown of a cluster that is Ready is what is documented', async () => {
  const { talos, kubernetes } = QUICK
  const Version = talos
  const one = { Version, Mode: 'metal' }
  const both = { State: 'Available', Version }
  expect(await world.objects.table(Cluster)).toMatchObject([{ Name: 'one', Ready: 'True' }])
  expect(await world.objects.table(ControlPlane)).toMatchObject([
    { Name: 'cp', State: 'Ready', KubeVersion: kubernetes, ...one },
  ])
  expect(await world.objects.table(Worker)).toMatchObject([
    { Name: 'a', State: 'Ready', ...one },
    { Name: 'b', State: 'Ready', ...one },
  ])
  expect(await world.objects.table(Machine)).toMatchObject([
    { Name: machineAt('a', 2)[1], Endpoint: world.address(2), ...both },
    { Name: machineAt('b', 3)[1], Endpoint: world.address(3), ...both },
    { Name: machineAt('cp', 1)[1], Endpoint: world.address(1), ...both },
  ])
  for (const kind of OURS) {
    for (const { metadata, status } of await world.objects.list(kind)) {
      expect(status?.observedGeneration).toBe(metadata.generation)
    }
  }
})

test('a machine that stops answering says so, why and since when, and so does its cluster, until it heals', {
  timeout: LONG,
}, async () => {
  await world.pass(2)
  const lostAt = world.clock.now().getTime()
  const heal = world.fault('unreachable', 2)

  const why = await untilSays(world, machineAt('a', 2), { type: 'Ready', reason: 'Unreachable' })
  const whole = await untilSays(world, [Cluster, 'one'], { type: 'Ready', reason: 'PartsNotReady' })
  const object = await world.objects.find(...machineAt('a', 2))
  const since = object?.status?.conditions?.find(({ type }) => type === 'Reachable')
  await world.pass(30)
  const later = await world.objects.find(...machineAt('a', 2))
  heal()
  await untilReady(world, 'one')

  expect(why).toContain(world.address(2))
  expect(whole).toContain('TalosWorker a')
  expect(whole).toContain(machineAt('a', 2)[1])
  expect(since?.status).toBe('False')
  expect(Date.parse(since?.lastTransitionTime ?? '') - lostAt).toBeLessThan(6 * 60_000)
  expect(later?.status?.conditions?.find(({ type }) => type === 'Reachable')).toEqual(since)
  expect(later?.status).toMatchObject({ state: 'Available', hostname: 'machine-2' })
})

test('a cluster that only refers to its parts leaves them when it is deleted', {
  timeout: LONG,
}, async () => {
  await world.objects.remove(Cluster, 'one')
  await world.pass(5)

  expect(await world.objects.list(Cluster)).toEqual([])
  expect(world.fleet.machines.map(({ stage }) => stage)).toEqual(Array(3).fill('running'))
})

test('a configuration that is given is used as it is, and its secrets are those of the cluster', {
  timeout: LONG,
}, async () => {
  const given = writeConfig(configOf(1) ?? fail('it has one'))
  for (const name of ['a', 'b']) await world.objects.remove(Worker, name)
  await world.objects.remove(ControlPlane, 'cp')
  await untilGone(world)
  const data = { 'controlplane.yaml': given }
  await world.objects.create(ConfigMap, { metadata: { name: 'given' }, data })
  const made = controlPlaneIn(world, 'given', [1])
  const configRef = { name: 'given', key: 'controlplane.yaml' }

  await world.objects.apply({ ...made, spec: { ...made.spec, configRef } })
  await untilSo([ControlPlane, 'given'])

  expect(writeConfig(configOf(1) ?? fail('it has one')) === given).toBe(true)
  const secretsOf = async (name: string) =>
    (await world.objects.find(Secret, `${name}-secrets`))?.data?.['secrets.yaml']
  expect((await secretsOf('given')) === (await secretsOf('cp'))).toBe(true)
})

const fail = (why: string): never => {
  throw new Error(why)
}
