import { afterEach, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { wordsFor } from './boundary.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { conditionOf, untilGone, untilReady, untilSays, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const SUBNET = '127.80.4'

let world: World
afterEach(async () => {
  expect(await brokenInvariants(world)).toEqual([])
  await world[Symbol.asyncDispose]()
}, LONG)

const machineAt = (cluster: string, number: number) =>
  [Machine, `${cluster}-${world.address(number)}`] as const

test('a machine that does not answer says so and why, and is taken when it does', {
  timeout: LONG,
}, async () => {
  world = await aWorld({ subnet: SUBNET, machines: 2 })
  await world.bringSecrets('one')
  const heal = world.fault('unreachable', 2)
  await world.objects.apply(world.cluster('one', [1], [2]))

  const why = await untilSays(world, machineAt('one', 2), {
    ...{ type: 'Reachable', reason: 'Unreachable' },
  })
  const whole = await untilSays(world, [Cluster, 'one'], { type: 'Ready', reason: 'PartsNotReady' })
  heal()
  await untilReady(world, 'one')

  expect(why).toContain(world.address(2))
  expect(whole).toContain('TalosWorker one')
})

test('of two clusters that want one machine the first has it, and the second says why it leaves it alone', {
  timeout: LONG,
}, async () => {
  world = await aWorld({ subnet: SUBNET, machines: 3 })
  await world.bringSecrets('one')
  await world.bringSecrets('two')
  await world.objects.apply(world.cluster('one', [1], [2]))
  await world.pass(1)
  await world.objects.apply(world.cluster('two', [3], [2]))

  await untilReady(world, 'one')
  await world.pass(10)

  const second = await conditionOf(world, machineAt('two', 2), 'Ready')
  // Without the keys of the first nobody is told which machine it is, so whose it is cannot be said.
  expect(second).toMatchObject({ status: 'False', reason: 'NotInMaintenance' })
  expect(second?.message).toContain(
    `${world.address(2)} already has a configuration that is not of this cluster, and is left alone`,
  )
  expect(await conditionOf(world, [Cluster, 'one'], 'Ready')).toMatchObject({ status: 'True' })
  expect({ bootstraps: bootstrapsIn(world), resets: resetsIn(world) }).toEqual({
    ...{ bootstraps: 2, resets: 0 },
  })

  await world.objects.remove(Cluster, 'two')
  await world.until('the second cluster to be gone', async () => {
    return (await world.objects.list(Cluster)).length === 1
  })
  expect(world.fleet.machine(world.address(2))?.stage).toBe('running')
  expect(resetsIn(world)).toBe(1)
})

test('a second cluster that lists a machine of the first is told whose it is, and heals when its list is mended', {
  timeout: LONG,
}, async () => {
  world = await aWorld({ subnet: SUBNET, machines: 4, versions: QUICK })
  await world.bringSecrets('one')
  await world.bringSecrets('two')
  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
  const before = world.history.length

  await world.objects.apply(world.cluster('two', [3], [2]))
  const why = await untilSays(world, machineAt('two', 2), {
    ...{ type: 'Ready', reason: 'NotInMaintenance' },
  })
  await world.objects.apply(world.cluster('two', [3], [4]))
  await untilReady(world, 'two')

  expect(why).toContain(
    `TalosMachine default/one-${world.address(2)} has a machine at this address`,
  )
  expect(why).toContain('Take the machine out of one of the two, or correct the address')
  expect(why).not.toContain('reset')
  const touched = world.history.slice(before).filter((call) => call.to === 'machine')
  expect(touched.map(({ address }) => address)).not.toContain(world.address(2))
  expect(await world.objects.find(...machineAt('two', 2))).toBeUndefined()
  expect(await conditionOf(world, [Cluster, 'one'], 'Ready')).toMatchObject({ status: 'True' })
})

test('a cluster with a dead machine says which one keeps it and what to do, and goes when it is told', {
  timeout: LONG,
}, async () => {
  world = await aWorld({ subnet: SUBNET, machines: 2 })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
  world.fault('unreachable', 2)
  await world.objects.remove(Cluster, 'one')

  const blocked = await untilSays(world, machineAt('one', 2), {
    ...{ type: 'Deleting', reason: 'ResetBlocked' },
  })
  await world.pass(60)
  const whole = await conditionOf(world, [Cluster, 'one'], 'Deleting')
  await world.objects.annotate(Cluster, 'one', { [FORCE_DELETION]: 'true' })
  await untilGone(world)

  expect(blocked).toContain(`${FORCE_DELETION}=true`)
  expect(whole?.message).toContain(world.address(2))
  expect(whole?.message).toContain(FORCE_DELETION)
})

test('a machine that is dead for long is told of once, and nothing is written any more', {
  timeout: LONG,
}, async () => {
  world = await aWorld({ subnet: SUBNET, machines: 1 })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], []))
  await untilReady(world, 'one')
  world.fault('unreachable', 1, 'how=silent')
  await untilSays(world, machineAt('one', 1), { type: 'Reachable', reason: 'Unreachable' })
  await world.pass(3)
  const told = world.history.length

  await world.pass(30)

  expect(writesSince(world, told).map(wordsFor)).toEqual([])
})

test('a machine of another cluster is left alone, and its address is named', {
  timeout: LONG,
}, async () => {
  world = await aWorld({ subnet: SUBNET, machines: 3 })
  await world.bringSecrets('one')
  await world.bringSecrets('two')
  await world.objects.apply(world.cluster('one', [1], []))
  await untilReady(world, 'one')
  // Nobody knows any more whose the machine is.
  await world.objects.annotate(Cluster, 'one', { [FORCE_DELETION]: 'true' })
  await world.objects.remove(Cluster, 'one')
  await untilGone(world)
  await world.objects.apply(world.cluster('two', [2], [1]))

  const why = await untilSays(world, machineAt('two', 1), {
    ...{ type: 'Ready', reason: 'NotInMaintenance' },
  })
  await world.pass(30)

  expect(why).toContain(world.address(1))
  expect(world.fleet.machine(world.address(1))?.type).toBe('controlplane')
  expect(resetsIn(world)).toBe(0)
})
