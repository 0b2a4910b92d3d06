import { afterAll, beforeAll, expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { bootstrapsIn, brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { isShapedReady, SHAPED, shaped } from './shaped-cluster.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const CLUSTER = [KubernetesCluster, SHAPED] as const

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.82', machines: 0, versions: QUICK })
  await world.provider([1, 2, 3])
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

test('A8, A9: a cluster that is to have more control planes is not said to be ready before all have joined', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped(world, { controlPlanes: 1, workers: 0 }))
  await world.until('it to be Ready', () => isShapedReady(world, 1))
  const heal = world.fleet.faults.add(parseFault('provider-silent:one-cp-2'))
  await world.objects.apply(shaped(world, { controlPlanes: 3, workers: 0 }))
  await world.until('the second to join', () => {
    return world.fleet.machine(world.address(2))?.type === 'controlplane'
  })
  await world.pass(10)

  const cluster = await world.objects.find(...CLUSTER)
  expect(cluster?.status).toMatchObject({
    ...{ phase: 'Provisioning', controlPlaneReady: false, machineCount: 3 },
  })
  expect((await conditionOf(world, CLUSTER, 'Ready'))?.message).toBe(
    'these have not joined: one-cp-2 (no address: its provider has not said anything of it yet)',
  )
  heal()
  await world.until('it to be Ready', () => isShapedReady(world, 3))
  expect(bootstrapsIn(world)).toBe(1)
  expect(await brokenInvariants(world)).toEqual([])
})
