import { afterAll, beforeAll, expect, test } from 'vitest'
import { Node } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, deedsSince } from './a-control-plane.ts'
import { WIPING } from './by-hand.ts'
import { objectsIn } from './cluster-content.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { toldOf, untilTold } from './told.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000
const POOL = [Worker, 'pool'] as const

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.56', machines: 5, versions: QUICK })
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await world.objects.apply(pool([2, 3, 4]))
  await untilReady([2, 3, 4])
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const pool = (machines: number[]) => workerIn(world, { name: 'pool', joins: 'one', machines })

const workers = async () =>
  (await world.objects.list(Machine)).filter(({ spec }) => spec?.workerRef?.name === 'pool')

const machineAt = (number: number) => world.fleet.machine(world.address(number))

const nodes = () => objectsIn(world.fleet, Node)

const untilReady = (machines: number[]) =>
  world.until(`${machines.join(', ')} to be Ready, and no others to be there`, async () => {
    const ready = await conditionOf(world, POOL, 'Ready')
    const found = (await workers()).map(({ spec }) => spec?.endpoint).sort()
    return (
      ready?.status === 'True' && found.join() === machines.map((at) => world.address(at)).join()
    )
  })

test('workers that are in the spec no more are reset one after the other', {
  timeout: LONG,
}, async () => {
  const before = world.history.length
  await world.objects.apply(pool([2]))
  await untilReady([2])

  expect(deedsSince(world, before).sort()).toEqual([
    `reset ${world.address(3)} done`,
    `reset ${world.address(4)} done`,
  ])
  const calls = world.history.slice(before)
  const first = calls.findIndex((call) => call.to === 'machine' && call.method === 'reset')
  // The object of the second is told to go when that of the first is gone.
  const told = calls.filter(
    (call) => call.to === 'kubernetes' && call.method === 'DELETE' && call.kind === Machine.plural,
  )
  expect(told.map((call) => calls.indexOf(call) > first)).toEqual([false, true])
  expect(await brokenInvariants(world)).toEqual([])
})

test('a worker is replaced by another one, which is there first', { timeout: LONG }, async () => {
  const before = world.history.length
  await world.objects.apply(pool([5]))
  await untilReady([5])

  expect(deedsSince(world, before)).toEqual([
    `configuration.apply ${world.address(5)} done`,
    `reset ${world.address(2)} done`,
  ])
  expect(await brokenInvariants(world)).toEqual([])
})

test('a worker that is off does not keep its pool from being well without it', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(pool([5, 3]))
  await untilReady([3, 5])
  const come = world.fault('unreachable', 3)
  await untilSays(world, POOL, { type: 'Ready', reason: 'MachinesNotReady' })

  await world.objects.apply(pool([5]))
  await world.until('the pool to be Ready', async () => {
    return (await conditionOf(world, POOL, 'Ready'))?.status === 'True'
  })
  await untilSays(world, [Machine, `pool-${world.address(3)}`], {
    ...{ type: 'Deleting', reason: 'ResetBlocked' },
  })

  come()
  await untilReady([5])
  expect(await brokenInvariants(world)).toEqual([])
})

test('a worker that dies between accepting its reset and wiping is let go with a warning, and known when it is back', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(pool([5, 2]))
  await untilReady([2, 5])
  const [object, machine] = [[Machine, `pool-${world.address(2)}`] as const, machineAt(2)]
  world.fault('dies', 2, 'at=before-reset')
  await world.objects.apply(pool([5]))
  await untilReady([5])

  const told = await toldOf(world, object)
  expect(told).toContainEqual(expect.stringMatching(/^ResetNotSeen: .* lost power before/))
  expect(told.join()).toContain(`the machine ${machine?.hardware.uuid} at ${world.address(2)}`)
  expect(await nodes()).toHaveLength(2)

  machine?.powerOn()
  await untilTold(world, CONTROL_PLANE, 'UnknownNode')
  expect((await toldOf(world, CONTROL_PLANE)).join()).toContain(
    `talosctl -e ${world.address(1)} -n ${world.address(2)} reset`,
  )
  const before = world.history.length
  await world.objects.apply(pool([5, 2]))
  await untilSays(world, object, { type: 'Ready', reason: 'NotInMaintenance' })
  await world.pass(5)
  expect(deedsSince(world, before)).toEqual([])

  machine?.reset(WIPING)
  await untilReady([2, 5])
  expect(await brokenInvariants(world)).toEqual([])
})
