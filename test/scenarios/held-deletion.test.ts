import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { FORCE_DELETION, RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { conditionOf, untilGone, untilReady } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.98', machines: 2, versions: QUICK })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

// One deletion of one cluster: each test begins where the one before it ended.

const pooled = () => [Machine, `one-${world.address(2)}`] as const

const set = ([kind, name]: readonly [ApiKind, string], mode: string | null) =>
  world.objects.patch(kind, name, { metadata: { annotations: { [RECONCILE_MODE]: mode } } })

const untilHeldBy = (who: string, mode: string) =>
  world.until(`${who} to be named`, async () => {
    const said = await conditionOf(world, [Cluster, 'one'], 'Deleting')
    return said?.message.includes(`${who} has the reconcile-mode ${mode}: remove`) ?? false
  })

test('a cluster that goes names the pool that is not to be worked on', {
  timeout: LONG,
}, async () => {
  await set([Worker, 'one'], 'disable')
  await world.pass(1)
  await world.objects.remove(Cluster, 'one')

  await untilHeldBy('TalosWorker one', 'disable')
  await set([Worker, 'one'], 'dryrun')
  await untilHeldBy('TalosWorker one', 'dryrun')
})

test('a cluster that goes names the machine that is not to be worked on, and force does not change that', {
  timeout: LONG,
}, async () => {
  await set(pooled(), 'disable')
  await world.pass(1)
  await set([Worker, 'one'], null)
  await untilHeldBy(pooled()[1], 'disable')

  await world.objects.annotate(Cluster, 'one', { [FORCE_DELETION]: 'true' })
  await world.pass(10)
  await untilHeldBy(pooled()[1], 'disable')
  expect(await world.objects.find(...pooled())).toBeDefined()
})

test('it goes on when nothing holds it up any more', { timeout: LONG }, async () => {
  await set(pooled(), null)
  await untilGone(world)

  expect(resetsIn(world)).toBe(0)
  expect(await brokenInvariants(world)).toEqual([])
})
