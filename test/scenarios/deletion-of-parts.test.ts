import { afterAll, beforeAll, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf, untilGone, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.18', machines: 3 })
  await world.bringSecrets('one')
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await world.objects.apply(pool())
  await untilSo([ControlPlane, 'one'])
  await untilSo([Worker, 'pool'])
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

// One life of one cluster: each test begins where the one before it ended.

const pool = () => workerIn(world, { name: 'pool', joins: 'one', machines: [2, 3] })
const machineOf = (number: number) => world.fleet.machine(world.address(number))
const objectOf = (number: number) =>
  [Machine, `${number === 1 ? 'one' : 'pool'}-${world.address(number)}`] as const

const untilSo = (of: readonly [ApiKind, string]): Promise<void> =>
  world.until(
    `${of[1]} to be Ready`,
    async () => (await conditionOf(world, of, 'Ready'))?.status === 'True',
  )
const untilAbsent = ([kind, name]: readonly [ApiKind, string]): Promise<void> =>
  world.until(`${name} to be gone`, async () => !(await world.objects.find(kind, name)))

test('a machine of a pool that is deleted alone is wiped, and taken again while the pool wants it', {
  timeout: LONG,
}, async () => {
  const [kind, name] = objectOf(2)
  const former = await world.objects.find(kind, name)

  await world.objects.remove(kind, name)
  await world.until('another object to stand for it', async () => {
    const found = await world.objects.find(kind, name)
    return found !== undefined && found.metadata.uid !== former?.metadata.uid
  })
  await untilSo([Worker, 'pool'])

  expect(resetsIn(world)).toBe(1)
  expect(machineOf(2)?.stage).toBe('running')
})

test('a pool that is deleted alone has its machines wiped, and the rest of the cluster stays Ready', {
  timeout: LONG,
}, async () => {
  await world.objects.remove(Worker, 'pool')
  await untilAbsent([Worker, 'pool'])
  await world.until('its machines to wait', () =>
    [2, 3].every((number) => machineOf(number)?.stage === 'maintenance'),
  )
  await world.pass(2)

  expect(await world.objects.find(...objectOf(2))).toBeUndefined()
  expect(await conditionOf(world, [ControlPlane, 'one'], 'Ready')).toMatchObject({ status: 'True' })
  expect(resetsIn(world)).toBe(3)

  await world.objects.apply(pool())
  await untilSo([Worker, 'pool'])
})

test('the only machine of a control plane that is deleted is kept, and says why and what to do', {
  timeout: LONG,
}, async () => {
  await world.objects.remove(...objectOf(1))

  const why = await untilSays(world, objectOf(1), { type: 'Deleting', reason: 'LeavingEtcd' })
  await world.pass(10)

  expect(why).toContain(`${FORCE_DELETION}=true`)
  expect(machineOf(1)?.stage).toBe('running')
  expect([bootstrapsIn(world), resetsIn(world)]).toEqual([1, 3])
})

test('a control plane waits for its workers to be deleted, and names them', {
  timeout: LONG,
}, async () => {
  await world.objects.remove(ControlPlane, 'one')

  const why = await untilSays(world, [ControlPlane, 'one'], {
    ...{ type: 'Deleting', reason: 'WorkersRemain' },
  })
  await world.pass(10)

  expect(why).toContain('TalosWorker pool')
  expect(machineOf(1)?.stage).toBe('running')
})

test('the force annotation lets a machine, a pool and a control plane go, though nobody answers', {
  timeout: LONG,
}, async () => {
  const heal = [1, 2, 3].map((number) => world.fault('unreachable', number))
  const force = { [FORCE_DELETION]: 'true' }
  await world.objects.remove(...objectOf(2))
  await untilSays(world, objectOf(2), { type: 'Deleting', reason: 'ResetBlocked' })

  await world.objects.annotate(...objectOf(2), force)
  await untilAbsent(objectOf(2))

  await world.objects.annotate(Worker, 'pool', force)
  await world.objects.remove(Worker, 'pool')
  await untilAbsent([Worker, 'pool'])

  await world.objects.annotate(ControlPlane, 'one', force)
  await untilGone(world)

  for (const end of heal) end()
  await world.pass(10)
  expect(world.fleet.machines.map(({ stage }) => stage)).toEqual(Array(3).fill('running'))
  expect(resetsIn(world)).toBe(3)
})

test('machines that were let go by force are recognised when they come back, and not taken', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await world.objects.apply(pool())

  const why = await untilSays(world, [ControlPlane, 'one'], {
    ...{ type: 'Ready', reason: 'ClusterRunsAlready' },
  })
  await untilSays(world, objectOf(2), { type: 'Ready', reason: 'NotInMaintenance' })
  await world.pass(10)

  expect(why).toContain('talosctl reset')
  expect([bootstrapsIn(world), resetsIn(world)]).toEqual([1, 3])
  expect(await brokenInvariants(world)).toEqual([])
})
