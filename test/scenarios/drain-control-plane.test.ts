import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAY_GO } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { CONTROL_PLANE, deedsSince, onMachines, untilReady, votersOf } from './a-control-plane.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { untilSays } from './verdicts.ts'
import { type Workloads, workloadsOf } from './workloads.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000
const TOLERATED = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }

// One life of one cluster, of three control planes that run workloads: the last of them goes in each test.

let world: World
let workloads: Workloads
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.66', machines: 3, versions: QUICK })
  await world.objects.apply(onMachines(world, [1, 2, 3]))
  await untilReady(world, [1, 2, 3])
  workloads = await workloadsOf(world, 'one')
}, LONG)
afterAll(async () => {
  workloads[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const lastNode = () => world.fleet.machine(world.address(3))?.hostname ?? ''
const object = () => [Machine, `one-${world.address(3)}`] as const
const mayGo = async () =>
  (await world.objects.find(...object()))?.metadata.annotations?.[MAY_GO] !== undefined

/** One pod on the last machine, which nobody may take away if that is held. */
async function running(name: string, isHeld: boolean): Promise<void> {
  await workloads.deploy(name, 1, {
    tolerations: [{ ...TOLERATED, operator: 'Exists' }],
    nodeSelector: { 'kubernetes.io/hostname': lastNode() },
  })
  await world.until(`${name} to run`, async () => (await workloads.nodesOf(name)).length === 1)
  if (isHeld) await workloads.budget(name, 1)
}

const gone = ['etcd.forfeitLeadership', 'etcd.leave', 'reset']

test('a control plane machine is drained, and then it leaves etcd', { timeout: LONG }, async () => {
  await running('web', false)
  const before = world.history.length

  await world.objects.apply(onMachines(world, [1, 2]))
  await untilReady(world, [1, 2])

  const calls = world.history.slice(before)
  const deeds = calls.flatMap((call) => {
    if (call.to === 'machine') return call.isDryRun ? [] : [call.method]
    if (call.to === 'disk') return []
    return call.kind === 'pods/eviction' && call.name.startsWith('web') ? ['evict'] : []
  })
  expect(deeds).toEqual(['evict', ...gone])
  expect(await brokenInvariants(world)).toEqual([])
  await workloads.remove('web')
})

test('a control plane machine that cannot be drained stays a member of etcd', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(onMachines(world, [1, 2, 3]))
  await untilReady(world, [1, 2, 3])
  await running('db', true)
  const before = world.history.length

  await world.objects.apply(onMachines(world, [1, 2]))
  const why = await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'DrainBlocked' })
  await world.pass(10)

  expect(why).toContain('PodDisruptionBudget default/db does not let pod')
  expect(why).toContain('rolloutStrategy.drain.afterTimeout of TalosControlPlane one')
  expect([deedsSince(world, before), votersOf(world)]).toEqual([[], 3])
  expect(await workloads.isCordoned(lastNode())).toMatchObject({ isCordoned: false })
  expect(await brokenInvariants(world)).toEqual([])

  await workloads.budget('db', undefined)
  await untilReady(world, [1, 2])
  expect(votersOf(world)).toBe(2)
  expect(await brokenInvariants(world)).toEqual([])
  await workloads.remove('db')
})

test('a machine that was let go, and that etcd needs by now, takes pods again', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(onMachines(world, [1, 2, 3]))
  await untilReady(world, [1, 2, 3])
  await running('db', true)
  const before = world.history.length
  await world.objects.apply(onMachines(world, [1, 2]))
  await untilSays(world, object(), { type: 'Deleting', reason: 'Draining' })
  await world.until('the cordon', async () => (await workloads.isCordoned(lastNode())).isCordoned)

  const back = world.fault('unreachable', 2)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'QuorumWouldBeLost' })
  await world.until('it to take pods', async () => {
    const { isCordoned, isMarked } = await workloads.isCordoned(lastNode())
    return !isCordoned && !isMarked
  })
  expect([await mayGo(), deedsSince(world, before), votersOf(world)]).toEqual([false, [], 3])

  back()
  await workloads.budget('db', undefined)
  await untilReady(world, [1, 2])
  expect(votersOf(world)).toBe(2)
  expect(await brokenInvariants(world)).toEqual([])
})
