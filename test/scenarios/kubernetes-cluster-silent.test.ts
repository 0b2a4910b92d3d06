import { afterAll, beforeAll, expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { wordsFor } from './boundary.ts'
import { machineNames, SHAPED, shaped } from './shaped-cluster.ts'
import { conditionOf, untilGone, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const CLUSTER = [KubernetesCluster, SHAPED] as const

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.79', machines: 0 })
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

// One life of one cluster whose provider never says a word.

test('A8, A9: a cluster whose provider says nothing is provisioned, and says what it waits for', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped(world, { controlPlanes: 1, workers: 1 }))
  await world.until('its Machines', async () => (await machineNames(world)).length === 2)
  await world.pass(2)

  const cluster = await world.objects.find(...CLUSTER)
  expect(cluster?.status).toMatchObject({
    ...{ phase: 'Provisioning', machineCount: 2, controlPlaneReady: false, workersReady: 0 },
  })
  expect(await conditionOf(world, CLUSTER, 'Ready')).toMatchObject({
    ...{ status: 'False', reason: 'MachinesNotReady' },
    message: expect.stringContaining('one-cp-0: its provider has not said anything of it yet'),
  })
})

test('R25: while it waits, nothing is written', { timeout: LONG }, async () => {
  const before = world.boundary.history.length
  await world.pass(30)

  expect(writesSince(world, before).map(wordsFor)).toEqual([])
})

test('R37: it is deleted as any other', { timeout: LONG }, async () => {
  await world.objects.remove(...CLUSTER)
  await untilGone(world)

  expect(await machineNames(world)).toEqual([])
})
