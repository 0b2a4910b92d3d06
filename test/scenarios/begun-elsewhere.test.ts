import { afterEach, beforeEach, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { untilGone, untilReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeEach(async () => {
  world = await aWorld({ subnet: '127.80.98', machines: 3, versions: QUICK })
}, LONG)
afterEach(async () => {
  expect(await brokenInvariants(world)).toEqual([])
  await world[Symbol.asyncDispose]()
}, LONG)

const preserved = (number: number) => {
  const { spec, ...cluster } = world.cluster('one', [number], [])
  return {
    ...cluster,
    spec: { controlPlane: { ...spec.controlPlane, deletionPolicy: 'preserve' } },
  }
}

/** The same cluster on other machines, where its endpoint was. */
const remade = (numbers: readonly number[]) => {
  const { spec, ...cluster } = world.cluster('one', numbers, [])
  const { endpoint } = world.cluster('one', [1], []).spec.controlPlane
  return { ...cluster, spec: { controlPlane: { ...spec.controlPlane, endpoint } } }
}

/** A cluster on the first machine that runs, and of which there is nothing left but its keys. */
async function aClusterLetGo(): Promise<void> {
  await world.objects.apply(preserved(1))
  await untilReady(world, 'one')
  await world.objects.remove(Cluster, 'one')
  await untilGone(world)
}

const stageOf = (number: number) => world.fleet.machine(world.address(number))?.stage

test('a cluster that was let go is not begun again elsewhere under its name, and can be taken over', {
  timeout: LONG,
}, async () => {
  await aClusterLetGo()
  await world.objects.apply(remade([2]))

  const why = await untilSays(world, [ControlPlane, 'one'], {
    ...{ type: 'Ready', reason: 'ClusterRunsAlready' },
  })
  await world.pass(30)
  expect(why).toContain('reconcile-mode: import')
  expect([bootstrapsIn(world), stageOf(2)]).toEqual([1, 'maintenance'])

  await world.objects.apply(preserved(1))
  await world.objects.annotate(Cluster, 'one', { [RECONCILE_MODE]: 'import' })
  await untilReady(world, 'one')
  expect([bootstrapsIn(world), resetsIn(world)]).toEqual([1, 0])
})

test('with the keys of a cluster that was let go none begins before each of its machines has answered', {
  timeout: LONG,
}, async () => {
  await aClusterLetGo()
  const heal = world.fault('unreachable', 1)
  await world.objects.apply(remade([2, 1]))
  const waits = await untilSays(world, [ControlPlane, 'one'], {
    ...{ type: 'Ready', reason: 'WaitingForMachines' },
  })
  await world.pass(30)
  expect(bootstrapsIn(world)).toBe(1)
  heal()
  await world.pass(10)

  expect(waits).toContain(world.address(1))
  expect(bootstrapsIn(world)).toBe(1)
})

test('keys that were brought along begin a cluster when all of its machines are there, the late one too', {
  timeout: LONG,
}, async () => {
  await world.bringSecrets('one')
  const heal = world.fault('unreachable', 3)
  await world.objects.apply(world.cluster('one', [1, 2, 3], []))
  const waits = await untilSays(world, [ControlPlane, 'one'], {
    ...{ type: 'Ready', reason: 'WaitingForMachines' },
  })
  await world.pass(5)
  expect(bootstrapsIn(world)).toBe(0)
  heal()
  await untilReady(world, 'one')

  expect(waits).toContain(world.address(3))
  expect(bootstrapsIn(world)).toBe(1)
})

test('an operator that dies when a cluster has begun waits for its etcd, and the cluster is Ready', {
  timeout: LONG,
}, async () => {
  world.killAfter(`bootstrap ${world.address(1)}`)
  await world.objects.apply(world.cluster('one', [1], []))
  await untilReady(world, 'one')

  expect(bootstrapsIn(world)).toBe(1)
})
