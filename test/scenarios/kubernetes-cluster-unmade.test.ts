import { afterAll, beforeAll, expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Worker } from '#api/worker.ts'
import { QUICK } from './manifests.ts'
import { isShapedReady, machineNames, SHAPED, shaped } from './shaped-cluster.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const CLUSTER = [KubernetesCluster, SHAPED] as const

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.148', machines: 0, versions: QUICK, hasApiFaults: true })
  await world.provider([1, 2, 3])
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

test('R14, R33: Machines that are not made, because something else fails before, are not said to be there', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped(world, { controlPlanes: 1, workers: 1 }))
  await world.until('it to be Ready', () => isShapedReady(world, 2))
  const mend = world.apiFaults.breakKind(Worker)
  const talosConfig = { machine: { certSANs: ['talos.example.com'] } }
  await world.objects.apply(shaped(world, { controlPlanes: 1, workers: 2, talosConfig }))
  const why = await untilSays(world, CLUSTER, { type: 'MachinesCreated', reason: 'CreationFailed' })
  await world.pass(1)

  expect(why).toBe('1 Machines are not made yet: something else failed before, as Ready says')
  const { metadata, status } = (await world.objects.find(...CLUSTER)) ?? {}
  expect(status).toMatchObject({ machineCount: 2, observedGeneration: metadata?.generation })
  expect(await machineNames(world)).toEqual(['one-cp-0', 'one-pool-0'])
  for (const [type, reason] of [
    ['Ready', 'MachinesNotReady'],
    ['FilesGenerated', 'GenerationFailed'],
  ] as const) {
    expect(await conditionOf(world, CLUSTER, type)).toMatchObject({ status: 'False', reason })
  }

  mend()
  await world.until('it to be Ready', () => isShapedReady(world, 3))
  expect(await conditionOf(world, CLUSTER, 'MachinesCreated')).toMatchObject({ status: 'True' })
})
