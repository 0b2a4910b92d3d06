import { afterAll, beforeAll, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { OS_INSTALLED } from '#api/labels.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { wordsFor } from './boundary.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { isShapedReady, SHAPED, shaped } from './shaped-cluster.ts'
import { conditionOf, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const CLUSTER = [KubernetesCluster, SHAPED] as const

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.81', machines: 0, versions: QUICK })
  await world.provider([1, 2, 3, 4, 5, 6])
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

/** Its provider does nothing about a Machine. The answer ends that. */
const silentOf = (name: string) => world.fleet.faults.add(parseFault(`provider-silent:${name}`))

const status = async () => (await world.objects.find(...CLUSTER))?.status
const why = async () => (await conditionOf(world, CLUSTER, 'Ready'))?.message
const untilReady = (machines: number) =>
  world.until('it to be Ready', () => isShapedReady(world, machines))

/** Names of Machines whose provider was told that Talos runs from the disk. */
const installed = async () =>
  (await world.objects.list(ProvidedMachine))
    .filter(({ metadata }) => metadata.annotations?.[OS_INSTALLED] === 'true')
    .map(({ metadata }) => metadata.name)

// One life of one cluster: each test begins where the one before it ended.

test('a control plane whose Machine its provider never answers for keeps the cluster from beginning, and is named', {
  timeout: LONG,
}, async () => {
  const heal = silentOf('one-cp-2')
  await world.objects.apply(shaped(world, { controlPlanes: 3, workers: 1 }))
  await world.until('the others to have addresses', async () => {
    return ((await why()) ?? '').includes('these have none: one-cp-2 (')
  })
  const before = world.boundary.history.length
  await world.pass(60)

  expect(await status()).toMatchObject({
    ...{ phase: 'Provisioning', controlPlaneReady: false, workersReady: 0, machineCount: 4 },
  })
  expect(await why()).toBe(
    'its control plane begins when each of its Machines has an address, and these have none: one-cp-2 (its provider has not said anything of it yet)',
  )
  // Etcd would begin without one of its members, and perhaps for ever.
  expect(await world.objects.list(ControlPlane)).toEqual([])
  expect(bootstrapsIn(world)).toBe(0)
  expect(await installed()).toEqual([])
  expect(writesSince(world, before).map(wordsFor)).toEqual([])

  heal()
  await untilReady(4)
  expect(bootstrapsIn(world)).toBe(1)
})

test('vitistack.io/os-installed tells the provider of the Machines whose machines run, and only then', {
  timeout: LONG,
}, async () => {
  await world.until('all to be told', async () => (await installed()).length === 4)
  const told = world.boundary.history.filter(
    (call) =>
      call.to === 'kubernetes' &&
      call.provided?.sent?.metadata.annotations?.[OS_INSTALLED] !== undefined,
  )

  expect(await installed()).toEqual(['one-cp-0', 'one-cp-1', 'one-cp-2', 'one-pool-0'])
  expect(told).toHaveLength(4)
})

test('a worker whose Machine its provider never answers for is waited for by name, and the others work', {
  timeout: LONG,
}, async () => {
  const heal = silentOf('one-pool-2')
  await world.objects.apply(shaped(world, { controlPlanes: 3, workers: 3 }))
  await world.until('the other to work', async () => (await status())?.workersReady === 2)
  await world.pass(10)

  expect(await status()).toMatchObject({
    ...{ phase: 'Provisioning', controlPlaneReady: true, workersReady: 2, machineCount: 6 },
  })
  expect(await why()).toBe(
    'these have not joined: one-pool-2 (no address: its provider has not said anything of it yet)',
  )
  heal()
  await untilReady(6)
  expect(await installed()).toHaveLength(6)
})

test('a Machine that is made anew under its name is installed when its own machine runs, and not before', {
  timeout: LONG,
}, async () => {
  const heal = silentOf('one-pool-2')
  await world.objects.remove(ProvidedMachine, 'one-pool-2')
  // Who is silent does not let it go either.
  await world.objects.patch(ProvidedMachine, 'one-pool-2', { metadata: { finalizers: null } })
  await world.until('the new one to be waited for', async () => {
    return ((await why()) ?? '').includes('one-pool-2 (no address')
  })
  await world.pass(10)

  expect(await installed()).not.toContain('one-pool-2')
  expect(await status()).toMatchObject({ phase: 'Provisioning', workersReady: 2 })
  heal()
  await untilReady(6)
  expect(await installed()).toContain('one-pool-2')
  expect(resetsIn(world)).toBe(0)
  expect(await brokenInvariants(world)).toEqual([])
})
