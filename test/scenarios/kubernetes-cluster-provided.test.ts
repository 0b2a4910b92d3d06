import { afterAll, beforeAll, expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { PROVIDER } from './a-provider.ts'
import { bootstrapsIn, brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const NAME = 'made'

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.63', machines: 0, versions: QUICK })
  await world.provider([1, 2, 3, 4, 5, 6])
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const machineTemplate = { spec: { provider: PROVIDER } }

const shaped = (workers: number) => ({
  apiVersion: apiVersionOf(KubernetesCluster),
  kind: KubernetesCluster.kind,
  metadata: { name: NAME },
  spec: {
    ...{ kubernetesVersion: QUICK.kubernetes, talosVersion: QUICK.talos },
    clusterEndpoint: `https://${world.address(1)}:6443`,
    controlPlane: { replicas: 3, machineTemplate },
    workers: [{ name: 'pool', replicas: workers, machineTemplate }],
  },
})

const status = async () => (await world.objects.find(KubernetesCluster, NAME))?.status

const untilReady = () =>
  world.until('the cluster to be Ready', async () => {
    const ready = await conditionOf(world, [KubernetesCluster, NAME], 'Ready')
    return ready?.status === 'True' && (await status())?.phase === 'Running'
  })

// One life of one cluster: each test begins where the one before it ended.

test('a provider makes the Machines of a cluster, and it comes up by itself', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped(1))
  await world.until('the engine to take over', async () => {
    return (await status())?.controlPlaneReady === true
  })
  await untilReady()

  expect(await status()).toMatchObject({ workersReady: 1, machineCount: 4 })
  expect(world.fleet.machines.map(({ stage }) => stage)).toEqual(Array(4).fill('running'))
  expect(bootstrapsIn(world)).toBe(1)
  expect(await brokenInvariants(world)).toEqual([])
})

test('a Machine that somebody deletes is made anew by both', { timeout: LONG }, async () => {
  const uidOf = async () =>
    (await world.objects.find(ProvidedMachine, 'made-pool-0'))?.metadata.uid ?? ''
  const before = await uidOf()
  await world.objects.remove(ProvidedMachine, 'made-pool-0')
  await world.until('it to be made anew', async () => ![before, ''].includes(await uidOf()))
  await world.until('the worker to be ready again', async () => {
    return (await status())?.workersReady === 1
  })
  await untilReady()

  expect(await brokenInvariants(world)).toEqual([])
})

test('with the cluster its machines go', { timeout: LONG }, async () => {
  await world.objects.remove(KubernetesCluster, NAME)
  await world.until('it to be gone', async () => (await status()) === undefined)

  expect(await world.objects.list(ProvidedMachine)).toEqual([])
  await world.until('the machines to be gone', () => world.fleet.machines.length === 0)
})
