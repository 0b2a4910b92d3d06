import { afterEach, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { type Call, wordsFor } from './boundary.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { toldOf } from './told.ts'
import { conditionOf, untilGone, untilReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const SUBNET = '127.80.8'

let world: World
afterEach(async () => {
  expect(await brokenInvariants(world)).toEqual([])
  await world[Symbol.asyncDispose]()
}, LONG)

const stages = () => world.fleet.machines.map(({ stage }) => stage)
const allWait = () => stages().every((stage) => stage === 'maintenance')
const machineAt = (number: number) => [Machine, `one-${world.address(number)}`] as const

/** Where a call was made first, in the order of all calls. */
const placeOf = (method: string, of: string): number =>
  world.history.findIndex((call) => wordsFor(call).includes(`${method} ${of} `))

test('of a cluster that is deleted the workers go first, then the control plane, and it goes last', {
  timeout: LONG,
}, async () => {
  world = await aWorld({ subnet: SUBNET, machines: 2 })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
  const secret = await world.objects.find(Secret, 'one-secrets')

  await world.objects.remove(Cluster, 'one')
  await untilGone(world)

  const order = [
    placeOf('DELETE', 'talosworkers/one'),
    placeOf('reset', world.address(2)),
    placeOf('DELETE', 'taloscontrolplanes/one'),
    placeOf('reset', world.address(1)),
    world.history.findLastIndex((call) => wordsFor(call).includes('PATCH talosclusters/one ')),
  ]
  expect(order).not.toContain(-1)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  await world.until('all machines to wait', allWait)

  // What the cluster was is kept: the same name is the same cluster again.
  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
  const kept = await world.objects.find(Secret, 'one-secrets')
  expect(kept?.metadata.uid).toBe(secret?.metadata.uid)
  expect(kept).toMatchObject({ immutable: true })
  expect({ bootstraps: bootstrapsIn(world), resets: resetsIn(world) }).toEqual({
    ...{ bootstraps: 2, resets: 2 },
  })
})

const isApply = ({ to, method }: Call) => to === 'machine' && method === 'configuration.apply'
const isCreate = (kind: ApiKind) => (call: Call) =>
  call.to === 'kubernetes' && call.method === 'POST' && call.kind === kind.plural

const MOMENTS: readonly [title: string, isReached: (calls: readonly Call[]) => boolean][] = [
  ['nothing is made of it', () => true],
  ['its control plane is made', (calls) => calls.some(isCreate(ControlPlane))],
  ['a machine has its object', (calls) => calls.some(isCreate(Machine))],
  ['a machine has its configuration', (calls) => calls.some((call) => isApply(call))],
  ['all machines have theirs', (calls) => calls.filter(isApply).length === 4],
  ['its etcd begins', (calls) => calls.some(({ method }) => method === 'bootstrap')],
]

test('a cluster can be deleted at any moment of its creation, and leaves machines that wait', {
  timeout: 2 * LONG,
}, async () => {
  world = await aWorld({ subnet: SUBNET, machines: 2 })
  await world.bringSecrets('one')

  for (const [title, isReached] of MOMENTS) {
    const begun = world.history.length
    await world.objects.apply(world.cluster('one', [1], [2]))
    await world.until(title, () => isReached(world.history.slice(begun)))
    await world.objects.remove(Cluster, 'one')
    await untilGone(world)
    await world.until(`all machines to wait, deleted when ${title}`, allWait)
  }

  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
})

test('deletionPolicy preserve leaves machines as they run and says so, and nobody takes them by accident', {
  timeout: LONG,
}, async () => {
  world = await aWorld({ subnet: SUBNET, machines: 2 })
  await world.bringSecrets('one')
  const cluster = world.cluster('one', [1], [2])
  const { controlPlane, worker } = cluster.spec
  const deletionPolicy = 'preserve'
  const spec = {
    controlPlane: { ...controlPlane, deletionPolicy },
    worker: { ...worker, deletionPolicy },
  }
  await world.objects.apply({ ...cluster, spec })
  await untilReady(world, 'one')

  await world.objects.remove(Cluster, 'one')
  await untilGone(world)
  await world.pass(5)

  const words = 'goes on running, because deletionPolicy is preserve'
  expect((await toldOf(world, [Worker, 'one'])).join()).toContain(words)
  expect((await toldOf(world, [ControlPlane, 'one'])).join()).toContain(words)
  expect(stages()).toEqual(['running', 'running'])

  await world.objects.apply(cluster)
  const runs = await untilSays(world, [ControlPlane, 'one'], {
    ...{ type: 'Ready', reason: 'ClusterRunsAlready' },
  })
  const why = await untilSays(world, machineAt(2), { type: 'Ready', reason: 'NotInMaintenance' })
  await world.pass(10)

  expect(runs).toContain('reconcile-mode: import')
  expect(why).toContain('talosctl reset')
  expect(stages()).toEqual(['running', 'running'])
  expect({ bootstraps: bootstrapsIn(world), resets: resetsIn(world) }).toEqual({
    ...{ bootstraps: 1, resets: 0 },
  })

  // Not its machines: deleted again, with whatever policy, they are left alone.
  await world.objects.remove(Cluster, 'one')
  await untilGone(world)
  expect(stages()).toEqual(['running', 'running'])
  expect(await conditionOf(world, [Cluster, 'one'], 'Ready')).toBeUndefined()
})
