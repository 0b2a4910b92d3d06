import { afterEach, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { toldOf } from './told.ts'
import { untilGone, untilReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const POLICY = { deletionPolicy: 'preserve' }

let world: World
afterEach(async () => {
  expect(await brokenInvariants(world)).toEqual([])
  await world[Symbol.asyncDispose]()
}, LONG)

const machineAt = (number: number) => [Machine, `one-${world.address(number)}`] as const
const stages = () => world.fleet.machines.map(({ stage }) => stage)

async function aReadyCluster(): Promise<void> {
  world = await aWorld({ subnet: '127.80.96', machines: 2, versions: QUICK, hasApiFaults: true })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
}

const keepAll = () =>
  world.objects.patch(Cluster, 'one', { spec: { controlPlane: POLICY, worker: POLICY } })

test('machines that are to be kept run on, though no operator was there when that was said and all was deleted', {
  timeout: LONG,
}, async () => {
  await aReadyCluster()
  await world.stopOperator()
  await keepAll()
  await world.objects.remove(Cluster, 'one')

  world.startOperator()
  await untilGone(world)
  await world.pass(2)

  expect(resetsIn(world)).toBe(0)
  expect(stages()).toEqual(['running', 'running'])
  const kept = 'is not reset and goes on running, because deletionPolicy is preserve'
  for (const number of [1, 2]) {
    expect((await toldOf(world, machineAt(number))).join()).toContain(kept)
  }
})

test('a pool that is deleted alone with its machine keeps that as its cluster says, which did not reach it', {
  timeout: LONG,
}, async () => {
  await aReadyCluster()
  await world.stopOperator()
  await world.objects.patch(Cluster, 'one', { spec: { worker: POLICY } })
  await world.objects.remove(Worker, 'one')
  await world.objects.remove(...machineAt(2))
  const former = await world.objects.find(...machineAt(2))

  world.startOperator()
  await world.until('its object to be gone', async () => {
    const found = await world.objects.find(...machineAt(2))
    return found?.metadata.uid !== former?.metadata.uid
  })

  expect(resetsIn(world)).toBe(0)
  expect(stages()).toEqual(['running', 'running'])
})

test('machines of a cluster that goes are kept from the moment on that this is said, those too that were told to go', {
  timeout: LONG,
}, async () => {
  await aReadyCluster()
  const heal = world.fault('unreachable', 2)
  await world.objects.remove(Cluster, 'one')
  await untilSays(world, machineAt(2), { type: 'Deleting', reason: 'ResetBlocked' })
  expect((await world.objects.find(...machineAt(1)))?.metadata.deletionTimestamp).toBeUndefined()

  await keepAll()
  await untilGone(world)
  heal()
  await world.pass(5)

  expect(resetsIn(world)).toBe(0)
  expect(stages()).toEqual(['running', 'running'])
})

test('a machine that answers again is kept, though the operator does not see yet that it is to be', {
  timeout: LONG,
}, async () => {
  await aReadyCluster()
  const heal = world.fault('unreachable', 2)
  await world.objects.remove(Cluster, 'one')
  await untilSays(world, machineAt(2), { type: 'Deleting', reason: 'ResetBlocked' })
  const see = world.apiFaults.holdEvents()
  await keepAll()

  heal()
  await world.until(
    'its object to be gone',
    async () => !(await world.objects.find(...machineAt(2))),
  )
  see()
  await untilGone(world)

  expect(resetsIn(world)).toBe(0)
  expect(stages()).toEqual(['running', 'running'])
  expect((await toldOf(world, machineAt(2))).join()).toContain(
    'because deletionPolicy of TalosCluster one is preserve',
  )
})

test('what is wiped when that is said is lost, and the rest of the cluster is kept', {
  timeout: LONG,
}, async () => {
  await aReadyCluster()
  await world.objects.remove(Cluster, 'one')
  await world.until('the worker to be told', () => resetsIn(world) === 1)

  await keepAll()
  await untilGone(world)
  await world.pass(5)

  expect(resetsIn(world)).toBe(1)
  expect(stages()).toEqual(['running', 'maintenance'])
  const told = (kind: ApiKind, name: string) => toldOf(world, [kind, name])
  expect((await told(...machineAt(2))).join()).not.toContain('goes on running')
  expect((await told(...machineAt(1))).join()).toContain('goes on running')
})
