import { afterEach, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { wordsFor } from './boundary.ts'
import { brokenInvariants, resetsIn } from './invariants.ts'
import { untilGone, untilReady, untilSays, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
afterEach(async () => {
  expect(await brokenInvariants(world)).toEqual([])
  await world[Symbol.asyncDispose]()
}, LONG)

const machineAt = (number: number) => [Machine, `one-${world.address(number)}`] as const
const stages = () => world.fleet.machines.map(({ stage }) => stage)
const allWait = () => stages().every((stage) => stage === 'maintenance')

/** A cluster that came about minutes after the first look of the operator. */
async function anOldCluster(): Promise<void> {
  world = await aWorld({ subnet: '127.80.25', machines: 2, hasApiFaults: true })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
  await world.pass(2)
}

/**
 * Starts an operator that is shown no object of a kind, because the list of it is that of the very first operator,
 * which found none, and nothing comes after it. The answer shows it everything.
 */
function startBlindFor(kind: ApiKind): () => void {
  const ends = [world.apiFaults.serveOldLists({ of: kind }), world.apiFaults.holdEvents()]
  world.startOperator()
  return () => {
    for (const end of ends) end()
  }
}

const machineCalls = (since: number) =>
  writesSince(world, since)
    .filter(({ to }) => to === 'machine')
    .map(wordsFor)

test.each([
  ['TalosControlPlane', ControlPlane],
  ['TalosWorker', Worker],
] as const)(
  'a machine that goes waits while its %s is not seen, and is wiped when it is',
  { timeout: LONG },
  async (_kind, kind) => {
    await anOldCluster()
    await world.stopOperator()
    const former = await world.objects.find(...machineAt(2))
    await world.objects.remove(...machineAt(2))
    const before = world.history.length

    const see = startBlindFor(kind)
    const why = await untilSays(world, machineAt(2), { type: 'Deleting', reason: 'WaitingForView' })
    await world.pass(1)

    expect(why).toContain(`${kind.kind} one is there`)
    expect(machineCalls(before)).toEqual([])
    expect((await world.objects.find(...machineAt(2)))?.metadata.uid).toBe(former?.metadata.uid)

    see()
    await world.until('another object to stand for it', async () => {
      const found = await world.objects.find(...machineAt(2))
      return found !== undefined && found.metadata.uid !== former?.metadata.uid
    })
    await untilReady(world, 'one')
    expect(resetsIn(world)).toBe(1)
  },
)

test('a cluster that goes keeps its control plane while its workers are not seen', {
  timeout: LONG,
}, async () => {
  await anOldCluster()
  await world.stopOperator()
  await world.objects.remove(Cluster, 'one')
  const before = world.history.length

  const see = startBlindFor(Worker)
  const why = await untilSays(world, [Cluster, 'one'], {
    type: 'Deleting',
    reason: 'WaitingForView',
  })
  await world.pass(1)

  expect(why).toContain('TalosWorker one is there')
  expect(writesSince(world, before).filter(({ method }) => method === 'DELETE')).toEqual([])
  expect(machineCalls(before)).toEqual([])

  see()
  await untilGone(world)
  await world.until('all machines to wait', allWait)
  expect(resetsIn(world)).toBe(2)
})

test('a control plane that goes alone waits for workers that are not seen', {
  timeout: LONG,
}, async () => {
  await anOldCluster()
  await world.stopOperator()
  await world.objects.remove(ControlPlane, 'one')
  const before = world.history.length

  const see = startBlindFor(Worker)
  const why = await untilSays(world, [ControlPlane, 'one'], {
    type: 'Deleting',
    reason: 'WorkersRemain',
  })
  await world.pass(1)

  expect(why).toContain('TalosWorker one')
  expect(machineCalls(before)).toEqual([])
  expect(stages()).toEqual(['running', 'running'])

  see()
  await world.objects.remove(Cluster, 'one')
  await untilGone(world)
  await world.until('all machines to wait', allWait)
  expect(resetsIn(world)).toBe(2)
})

test('a control plane and its workers stay while their machines are not seen, which know how to be wiped by them', {
  timeout: LONG,
}, async () => {
  await anOldCluster()
  await world.stopOperator()
  await world.objects.remove(Cluster, 'one')
  await world.objects.remove(Worker, 'one')
  await world.objects.remove(ControlPlane, 'one')

  const see = startBlindFor(Machine)
  await world.pass(1)

  expect(await world.objects.list(Worker)).toHaveLength(1)
  expect(await world.objects.list(ControlPlane)).toHaveLength(1)
  expect(resetsIn(world)).toBe(0)

  see()
  await untilGone(world)
  await world.until('all machines to wait', allWait)
  expect(resetsIn(world)).toBe(2)
})

const spared: [where: string, at: () => readonly [ApiKind, string]][] = [
  ['its TalosMachine', () => machineAt(2)],
  ['its TalosWorker', () => [Worker, 'one']],
  ['its TalosCluster', () => [Cluster, 'one']],
]

test.each(spared)(
  'a machine that is spared at the last moment on %s is not wiped, though the operator does not see that yet',
  { timeout: LONG },
  async (_where, where) => {
    await anOldCluster()
    const heal = world.fault('unreachable', 2)
    await world.objects.remove(...machineAt(2))
    await untilSays(world, machineAt(2), { type: 'Deleting', reason: 'ResetBlocked' })
    const see = world.apiFaults.holdEvents()
    await world.objects.annotate(...where(), { [RECONCILE_MODE]: 'disable' })
    const before = world.history.length

    heal()
    await world.pass(1)
    see()
    await world.pass(10)

    expect(machineCalls(before)).toEqual([])
    expect(stages()).toEqual(['running', 'running'])

    await world.objects.annotate(...where(), { [RECONCILE_MODE]: 'reconcile' })
    await world.until('it to be wiped', () => resetsIn(world) === 1)
  },
)

test('a machine whose entry was put back does not go by a spec that lacks it', {
  timeout: LONG,
}, async () => {
  world = await aWorld({ subnet: '127.80.25', machines: 3, hasApiFaults: true })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], [2, 3]))
  await untilReady(world, 'one')
  const wanted = (...numbers: number[]) =>
    world.objects.patch(Worker, 'one', {
      spec: { metalSpec: { machines: numbers.map((at) => ({ address: world.address(at) })) } },
    })
  const come = world.fault('unreachable', 3)
  await untilSays(world, [Worker, 'one'], { type: 'Ready', reason: 'MachinesNotReady' })
  const before = world.history.length
  // An operator that may do nothing sees the spec without the machine.
  await world.stopOperator()
  await world.objects.annotate(Cluster, 'one', { [RECONCILE_MODE]: 'disable' })
  await wanted(2)
  const sinceMs = world.clock.monotonicMs()
  await world.restartOperator()
  await world.pass(1)
  await world.stopOperator()
  await wanted(2, 3)
  await world.objects.patch(Cluster, 'one', {
    metadata: { annotations: { [RECONCILE_MODE]: null } },
  })

  const oldestMs = world.clock.monotonicMs() - sinceMs
  const ends = [
    world.apiFaults.serveOldLists({ of: Worker, oldestMs }),
    world.apiFaults.holdEvents(),
  ]
  world.startOperator()
  // Whoever sees an old object can write no status of it, so nothing is told.
  await world.pass(3)

  expect(writesSince(world, before).filter(({ method }) => method === 'DELETE')).toEqual([])
  expect(machineCalls(before)).toEqual([])
  for (const end of ends) end()
  come()
  await untilReady(world, 'one')
  expect(resetsIn(world)).toBe(0)
})

test('workers that were put into a spec do not go by one that lacks them', {
  timeout: LONG,
}, async () => {
  world = await aWorld({ subnet: '127.80.25', machines: 2, hasApiFaults: true })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], []))
  await untilReady(world, 'one')
  const sinceMs = world.clock.monotonicMs()
  await world.pass(1)
  // Its list of clusters is one without workers.
  await world.restartOperator()
  await world.pass(1)
  await world.objects.apply(world.cluster('one', [1], [2]))
  await world.until('workers', async () => (await world.objects.list(Worker)).length === 1)
  await untilReady(world, 'one')
  await world.stopOperator()
  const before = world.history.length

  const oldestMs = world.clock.monotonicMs() - sinceMs
  const ends = [
    world.apiFaults.serveOldLists({ of: Cluster, oldestMs }),
    world.apiFaults.holdEvents(),
  ]
  world.startOperator()
  await world.pass(3)

  expect(writesSince(world, before).filter(({ method }) => method === 'DELETE')).toEqual([])
  for (const end of ends) end()
  await untilReady(world, 'one')
  expect(resetsIn(world)).toBe(0)

  // By the spec that the API has they go.
  await world.objects.patch(Cluster, 'one', { spec: { worker: null } })
  await world.until('it to be wiped', () => resetsIn(world) === 1)
})
