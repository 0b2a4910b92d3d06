import { afterAll, beforeAll, expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import { versionsIn } from '#machineconfig/versions/kubernetes-images.ts'
import { wordsFor } from './boundary.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { isShapedReady, SHAPED, shaped } from './shaped-cluster.ts'
import { untilSays, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 300_000
const VERSIONS = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }
const CLUSTER = [KubernetesCluster, SHAPED] as const

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.68', machines: 0, versions: VERSIONS })
  await world.provider([1, 2, 3, 4])
  await world.objects.apply(shaped(world, { controlPlanes: 3, workers: 1, versions: VERSIONS }))
  await untilReady()
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const untilReady = () => world.until('it to be Ready', () => isShapedReady(world, 4))

const kubelets = () =>
  world.fleet.machines.map(({ config }) => config && versionsIn(config).kubelet)

const uids = async () => (await world.objects.list(Machine)).map(({ metadata }) => metadata.uid)

/** An edit, and what the cluster says while it is carried out. */
async function edited(spec: object): Promise<string> {
  await world.objects.patch(...CLUSTER, { spec })
  const said = await untilSays(world, CLUSTER, { type: 'Ready', reason: 'MachinesNotReady' })
  const { phase } = (await world.objects.find(...CLUSTER))?.status ?? {}
  expect(phase).toBe('Provisioning')
  await untilReady()
  return said
}

/** What is written in ten minutes in which nobody edits anything. */
async function writtenLater(): Promise<string[]> {
  await world.pass(2)
  const settled = world.history.length
  await world.pass(10)
  return writesSince(world, settled).map(wordsFor)
}

// One life of one cluster: each test begins where the one before it ended.

test('another kubernetesVersion is rolled out, told meanwhile, and settled in the end', {
  timeout: LONG,
}, async () => {
  const before = await uids()

  const said = await edited({ kubernetesVersion: 'v1.35.0' })

  expect(said).toContain('TalosControlPlane one')
  expect(kubelets()).toEqual(Array(4).fill('v1.35.0'))
  expect(await writtenLater()).toEqual([])
  expect(await uids()).toEqual(before)
  expect({ bootstraps: bootstrapsIn(world), resets: resetsIn(world) }).toEqual({
    ...{ bootstraps: 1, resets: 0 },
  })
  expect(await brokenInvariants(world)).toEqual([])
})

test('another talosVersion is rolled out, told meanwhile, and settled in the end', {
  timeout: LONG,
}, async () => {
  const before = await uids()

  const said = await edited({ talosVersion: 'v1.13.1' })

  expect(said).toContain('TalosControlPlane one')
  expect(world.fleet.machines.map(({ talosVersion }) => talosVersion)).toEqual(
    Array(4).fill('v1.13.1'),
  )
  expect(kubelets()).toEqual(Array(4).fill('v1.35.0'))
  expect(await writtenLater()).toEqual([])
  expect(await uids()).toEqual(before)
  expect(await brokenInvariants(world)).toEqual([])
})
