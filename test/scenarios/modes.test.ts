import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Event } from '#api/foreign.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { wordsFor } from './boundary.ts'
import { brokenInvariants, resetsIn } from './invariants.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { untilTold } from './told.ts'
import { conditionOf, untilGone, untilReady, untilSays, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.9', machines: 2 })
  await world.bringSecrets('one')
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

// One life of one cluster: each test begins where the one before it ended.

const DRYRUN = { [RECONCILE_MODE]: 'dryrun' }
const MACHINE = () => [Machine, `one-${world.address(1)}`] as const
const POOL_MACHINE = () => [Machine, `pool-${world.address(2)}`] as const
const pool = () => workerIn(world, { name: 'pool', joins: 'one', machines: [2] })

const annotated = <Made extends { metadata: object }>(made: Made) => ({
  ...made,
  metadata: { ...made.metadata, annotations: DRYRUN },
})

const set = ([kind, name]: readonly [ApiKind, string], mode: string) =>
  world.objects.annotate(kind, name, { [RECONCILE_MODE]: mode })

/** What the operator wrote since then, but for what it told. */
const changesSince = (since: number): string[] =>
  writesSince(world, since)
    .filter((call) => !(call.to === 'kubernetes' && call.kind === Event.plural))
    .map(wordsFor)

const untilSo = (of: readonly [ApiKind, string]): Promise<void> =>
  world.until(
    `${of[1]} to be Ready`,
    async () => (await conditionOf(world, of, 'Ready'))?.status === 'True',
  )

test('of a control plane in dryrun is said what would be done, and nothing is', {
  timeout: LONG,
}, async () => {
  const before = world.history.length
  await world.objects.apply(annotated(controlPlaneIn(world, 'one', [1])))

  await untilTold(world, [ControlPlane, 'one'], 'DryRun: would ')
  await world.pass(5)

  expect(changesSince(before)).toEqual([])
  expect(await world.objects.find(ControlPlane, 'one')).not.toHaveProperty('status')
})

test('of a machine in dryrun is said what would be done, by its own mode and by that of its parent', {
  timeout: LONG,
}, async () => {
  const heal = world.fault('unreachable', 1)
  await set([ControlPlane, 'one'], 'reconcile')
  await untilSays(world, MACHINE(), { type: 'Reachable', reason: 'Unreachable' })
  await set(MACHINE(), 'dryrun')
  await world.pass(1)
  const before = world.history.length
  heal()

  await untilTold(world, MACHINE(), 'would write down that this is the machine')
  // The one after the other: there is no moment in which neither holds.
  await set([ControlPlane, 'one'], 'dryrun')
  await set(MACHINE(), 'reconcile')
  await world.pass(5)

  expect(changesSince(before)).toEqual([])
  expect(await conditionOf(world, MACHINE(), 'Reachable')).toMatchObject({ status: 'False' })
})

test('of a pool in dryrun is said what would be done, and nothing is', {
  timeout: LONG,
}, async () => {
  const before = world.history.length
  await world.objects.apply(annotated(pool()))

  await untilTold(world, [Worker, 'pool'], `would create TalosMachine ${POOL_MACHINE()[1]}`)
  await world.pass(5)

  expect(changesSince(before)).toEqual([])
  expect(await world.objects.find(Worker, 'pool')).not.toHaveProperty('status')
})

test('what was only spoken of is done when the mode ends', { timeout: LONG }, async () => {
  await set([ControlPlane, 'one'], 'reconcile')
  await set([Worker, 'pool'], 'reconcile')

  await untilSo([ControlPlane, 'one'])
  await untilSo([Worker, 'pool'])
})

test('in mode disable a deletion waits, of a machine, a pool and a control plane; in dryrun it is spoken of', {
  timeout: LONG,
}, async () => {
  const parts = [MACHINE(), POOL_MACHINE(), [Worker, 'pool'], [ControlPlane, 'one']] as const
  for (const part of parts) await set(part, 'disable')
  await world.pass(1)
  const before = world.history.length
  for (const [kind, name] of parts) await world.objects.remove(kind, name)
  await world.pass(30)
  expect(writesSince(world, before).map(wordsFor)).toEqual([])

  for (const part of parts) await set(part, 'dryrun')
  await untilTold(world, POOL_MACHINE(), 'would tell the machine')
  await world.pass(5)
  expect(changesSince(before)).toEqual([])
  expect(resetsIn(world)).toBe(0)

  for (const part of parts) await set(part, 'reconcile')
  await untilGone(world)
  expect(resetsIn(world)).toBe(2)
})

test('the mode of a cluster holds for all that it is made of, in its creation and its deletion', {
  timeout: LONG,
}, async () => {
  const waits = () => world.fleet.machines.every(({ stage }) => stage === 'maintenance')
  await world.until('all machines to wait', waits)
  const begun = world.history.length
  await world.objects.apply(annotated(world.cluster('one', [1], [2])))
  await untilTold(world, [Cluster, 'one'], 'would create TalosControlPlane one')
  await untilTold(world, [Cluster, 'one'], 'would create TalosWorker one')
  await world.pass(5)
  expect(changesSince(begun)).toEqual([])
  expect(await world.objects.find(Cluster, 'one')).not.toHaveProperty('status')

  await set([Cluster, 'one'], 'reconcile')
  await untilReady(world, 'one')
  await set([Cluster, 'one'], 'dryrun')
  await world.pass(1)
  const settled = world.history.length
  const worker = [Machine, `one-${world.address(2)}`] as const
  await world.objects.remove(Cluster, 'one')
  await world.objects.remove(Worker, 'one')
  await world.objects.remove(...worker)
  await untilTold(world, [Cluster, 'one'], 'would delete TalosWorker one')
  await untilTold(world, worker, 'would tell the machine')
  await world.pass(5)
  expect(changesSince(settled)).toEqual([])

  await set([Cluster, 'one'], 'reconcile')
  await untilGone(world)
  expect(await brokenInvariants(world)).toEqual([])
})
