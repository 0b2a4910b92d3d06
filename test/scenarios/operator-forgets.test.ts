import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import { wordsFor } from './boundary.ts'
import { endState } from './end-state.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { OURS } from './objects.ts'
import { untilReady, untilSays, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.3', machines: 2 })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
  await world.pass(2)
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const machineCalls = (since: number) =>
  writesSince(world, since)
    .filter(({ to }) => to === 'machine')
    .map(wordsFor)
const untouched = () => ({ bootstraps: bootstrapsIn(world), resets: resetsIn(world) })

test('an operator that starts again does nothing to machines, and says the same in the end', {
  timeout: LONG,
}, async () => {
  const whole = await endState(world)
  const before = world.history.length

  await world.restartOperator()
  await world.pass(10)

  expect(await endState(world)).toEqual(whole)
  expect(machineCalls(before)).toEqual([])
})

test('an operator that starts again finds everything as it was, and writes nothing', {
  timeout: LONG,
}, async () => {
  const before = world.history.length

  await world.restartOperator()
  await world.pass(10)

  expect(writesSince(world, before).map(wordsFor)).toEqual([])
})

test('all status is lost, and comes back without anything being done to a machine', {
  timeout: LONG,
}, async () => {
  const whole = await endState(world)
  await world.stopOperator()
  for (const kind of OURS) {
    for (const { metadata } of await world.objects.list(kind)) {
      await world.objects.wipeStatus(kind, metadata.name)
    }
  }
  const wiped = world.history.length

  world.startOperator()
  await untilReady(world, 'one')
  await world.pass(2)

  expect(await endState(world)).toEqual(whole)
  expect(machineCalls(wiped)).toEqual([])
  expect(untouched()).toEqual({ bootstraps: 1, resets: 0 })
  expect(await brokenInvariants(world)).toEqual([])
})

test('an edit of kubeVersion that waits and the loss of all status change no configuration', {
  timeout: LONG,
}, async () => {
  const configIn = async () => (await world.objects.find(Secret, 'one-config'))?.data
  const [before, configs] = [await configIn(), world.history.length]
  const edit = (kubeVersion: string, paused: boolean) =>
    world.objects.patch(Cluster, 'one', {
      spec: { controlPlane: { kubeVersion, rolloutStrategy: { paused } } },
    })
  await edit('v1.35.1', true)
  await untilSays(world, [ControlPlane, 'one'], { type: 'Ready', reason: 'Paused' })

  await world.stopOperator()
  await world.objects.wipeStatus(ControlPlane, 'one')
  world.startOperator()
  await untilSays(world, [ControlPlane, 'one'], { type: 'Ready', reason: 'Paused' })
  await world.pass(2)

  expect(await configIn()).toEqual(before)
  expect(before).toBeDefined()
  expect(machineCalls(configs)).toEqual([])
  await edit('v1.35.0', false)
  await untilReady(world, 'one')
})

test('a cluster that is to be left alone is left alone, also when it is deleted', {
  timeout: LONG,
}, async () => {
  await world.objects.annotate(Cluster, 'one', { [RECONCILE_MODE]: 'disable' })
  await world.pass(1)
  const told = world.history.length
  await world.objects.remove(Cluster, 'one')

  await world.pass(30)

  expect(writesSince(world, told).map(wordsFor)).toEqual([])
  expect(world.fleet.machines.map(({ stage }) => stage)).toEqual(['running', 'running'])
  expect(untouched()).toEqual({ bootstraps: 1, resets: 0 })
})
