import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { Secret } from '#api/foreign.ts'
import { wordsFor } from './boundary.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { untilGone, untilReady, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const MACHINES = [1, 2, 3, 4, 5]

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.1', machines: MACHINES.length, wire: 'real' })
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

// One life of one cluster: each test begins where the one before it ended.

test('a cluster of three and two becomes Ready from one manifest', { timeout: LONG }, async () => {
  await world.objects.apply(world.cluster('one', [1, 2, 3], [4, 5]))

  await untilReady(world, 'one')

  expect(world.fleet.machines.map(({ type, stage }) => `${type} ${stage}`)).toEqual([
    ...Array(3).fill('controlplane running'),
    ...Array(2).fill('worker running'),
  ])
  expect(bootstrapsIn(world)).toBe(1)
  expect(await brokenInvariants(world)).toEqual([])
})

test('when it is as it should be, nothing is written for ten minutes', {
  timeout: LONG,
}, async () => {
  // Events that were held back are told within this time.
  await world.pass(2)
  const settled = world.boundary.history.length

  await world.pass(10)

  expect(writesSince(world, settled).map(wordsFor)).toEqual([])
})

test('a cluster that is deleted leaves machines that wait, and its secrets', {
  timeout: LONG,
}, async () => {
  await world.objects.remove(Cluster, 'one')

  await untilGone(world)

  const waits = () => world.fleet.machines.every(({ stage }) => stage === 'maintenance')
  await world.until('all machines to be in maintenance mode', waits)
  expect(resetsIn(world)).toBe(MACHINES.length)
  expect((await world.objects.list(Secret)).map(({ metadata }) => metadata.name)).toContain(
    'one-secrets',
  )
  expect(await brokenInvariants(world)).toEqual([])
})
