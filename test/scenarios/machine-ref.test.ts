import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { conditionOf, untilReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const PATH = '.status.publicIPAddresses[0]'
const HOST = 'one-host-a'

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.10', machines: 3 })
  await world.bringSecrets('one')
  await world.bringSecrets('two')
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const referring = (name: string, fieldPath = PATH) => [
  { machineRef: { apiVersion: apiVersionOf(ProvidedMachine), kind: 'Machine', name, fieldPath } },
]

/** A cluster whose one worker is where another object says. */
function clusterWith(fieldPath?: string) {
  const { spec, ...rest } = world.cluster('one', [1], [2])
  const worker = { ...spec.worker, metalSpec: { machines: referring('host-a', fieldPath) } }
  return { ...rest, spec: { ...spec, worker } }
}

const makeHost = (name: string) =>
  world.objects.create(ProvidedMachine, { metadata: { name }, spec: { name } })
const putHost = (name: string, number: number) =>
  world.objects.patchStatus(ProvidedMachine, name, { publicIPAddresses: [world.address(number)] })

const whoIsHost = async () => (await world.objects.find(Machine, HOST))?.metadata.uid

const stageOf = (number: number) => world.fleet.machine(world.address(number))?.stage

/** No machine was mistaken for another: nothing was begun, wiped or left behind that should not be. */
async function nothingElseHappened(): Promise<void> {
  expect({ bootstraps: bootstrapsIn(world), resets: resetsIn(world) }).toEqual({
    ...{ bootstraps: 1, resets: 0 },
  })
  expect(await brokenInvariants(world)).toEqual([])
}

// One life of one cluster: each test begins where the one before it ended.

test('a machine is taken when the object that it refers to is there and has its address', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(clusterWith())

  const pool = [Worker, 'one'] as const
  const absent = await untilSays(world, pool, { type: 'Ready', reason: 'WaitingForAddress' })
  await makeHost('host-a')
  await world.until('the pool to know the object', async () => {
    const ready = await conditionOf(world, pool, 'Ready')
    return ready?.message.includes('there is nothing at its fieldPath yet') ?? false
  })
  await putHost('host-a', 2)
  await untilReady(world, 'one')

  expect(absent).toContain('machineRef to Machine host-a: there is no such object')
  expect((await world.objects.list(Machine)).map(({ metadata }) => metadata.name)).toEqual([
    `one-${world.address(1)}`,
    HOST,
  ])
  await nothingElseHappened()
})

test('an address that leads to another machine is followed, and that machine is left alone', {
  timeout: LONG,
}, async () => {
  const uid = await whoIsHost()
  await putHost('host-a', 3)

  const why = await untilSays(world, [Machine, HOST], { type: 'Ready', reason: 'AnotherMachine' })
  await world.pass(3)
  expect(why).toContain(world.address(3))
  expect([stageOf(2), stageOf(3)]).toEqual(['running', 'maintenance'])
  await putHost('host-a', 2)
  await untilReady(world, 'one')

  expect(await whoIsHost()).toBe(uid)
  await nothingElseHappened()
})

test('an object that goes leaves the machine where it was, and may be made anew', {
  timeout: LONG,
}, async () => {
  const uid = await whoIsHost()
  await world.objects.remove(ProvidedMachine, 'host-a')

  await untilSays(world, [Worker, 'one'], { type: 'Ready', reason: 'WaitingForAddress' })
  await world.pass(3)
  expect(await conditionOf(world, [Machine, HOST], 'Ready')).toMatchObject({ status: 'True' })
  await makeHost('host-a')
  await putHost('host-a', 2)
  await untilReady(world, 'one')

  expect(await whoIsHost()).toBe(uid)
  await nothingElseHappened()
})

test('a fieldPath that leads to no address is told, without what is there, and changes nothing', {
  timeout: LONG,
}, async () => {
  const uid = await whoIsHost()
  await world.objects.apply(clusterWith('.status.nowhere'))
  await untilSays(world, [Worker, 'one'], { type: 'Ready', reason: 'WaitingForAddress' })
  await world.objects.apply(clusterWith('.metadata.uid'))
  const why = await untilSays(world, [Worker, 'one'], { type: 'Ready', reason: 'AddressInvalid' })
  await world.objects.apply(clusterWith('.status[')) // No path at all.
  const bad = await untilSays(world, [Worker, 'one'], {
    type: 'Ready',
    reason: 'MachineRefInvalid',
  })
  const host = await world.objects.find(ProvidedMachine, 'host-a')
  await world.pass(5)
  await world.objects.apply(clusterWith())
  await untilReady(world, 'one')

  expect(why).toContain('machineRef to Machine host-a')
  expect(why).not.toContain(host?.metadata.uid)
  expect(bad).toContain('has a fieldPath that is none')
  expect(await whoIsHost()).toBe(uid)
  await nothingElseHappened()
})

test('an object that leads to a machine of another cluster gets nobody that machine', {
  timeout: LONG,
}, async () => {
  const { spec, ...rest } = world.cluster('two', [3], [])
  const controlPlane = { ...spec.controlPlane, metalSpec: { machines: referring('host-b') } }
  await makeHost('host-b')
  await putHost('host-b', 2)
  const second = { ...rest, spec: { controlPlane } }
  await world.objects.apply(second)

  const ready = { type: 'Ready', reason: 'NotInMaintenance' }
  const why = await untilSays(world, [Machine, 'two-host-b'], ready)
  const whole = await conditionOf(world, [ControlPlane, 'two'], 'Ready')
  await world.pass(3)
  expect(why).toContain(world.address(2))
  expect(whole?.status).toBe('False')
  await world.objects.remove(Cluster, 'two')
  await world.until('the second cluster to be gone', async () => {
    return (await world.objects.find(Cluster, 'two')) === undefined
  })

  expect(await conditionOf(world, [Cluster, 'one'], 'Ready')).toMatchObject({ status: 'True' })
  expect(stageOf(2)).toBe('running')
  await nothingElseHappened()
})

test('a machine that comes back empty at another address is the same machine', {
  timeout: LONG,
}, async () => {
  const uid = await whoIsHost()
  const { hardware } = world.fleet.machine(world.address(2)) ?? {}
  world.fleet.remove(world.address(2))
  world.fleet.remove(world.address(3))
  world.fleet.add({
    ...{ address: world.address(3), talosVersion: 'v1.13.0', ...(hardware && { hardware }) },
  })
  await putHost('host-a', 3)
  await world.until('the machine to run again', () => stageOf(3) === 'running')
  await untilReady(world, 'one')

  expect(await whoIsHost()).toBe(uid)
  await nothingElseHappened()
})
