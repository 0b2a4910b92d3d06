import { afterAll, beforeAll, expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { OURS } from './objects.ts'
import { untilReady } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.121', machines: 2, versions: QUICK })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
  await world.pass(2)
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

// `kubectl get … -o yaml` and `kubectl create -f` into another API: owners are named by uids that nobody has there, and
// whatever names such an owner is deleted by the API.
test('objects that are put back from a backup as they were saved wipe no machine when the API deletes them', {
  timeout: LONG,
}, async () => {
  await world.stopOperator()
  const saved = await Promise.all(
    OURS.map(async (kind) => ({ kind, all: await world.objects.list(kind) })),
  )
  for (const { kind, all } of saved.toReversed()) {
    for (const { metadata } of all) await world.objects.vanish(kind, metadata.name)
  }
  for (const { kind, all } of saved) {
    for (const { metadata, spec, status } of all) {
      const { uid: _, resourceVersion: __, ...kept } = metadata
      await world.objects.create(kind, { metadata: kept, spec })
      await world.objects.patchStatus(kind, metadata.name, status ?? {})
    }
  }
  const restored = (await world.objects.list(Machine)).map(({ metadata }) => metadata.uid)

  world.startOperator()
  await world.pass(10)

  const machines = await world.objects.list(Machine)
  expect(restored).toHaveLength(2)
  expect(machines.filter(({ metadata }) => restored.includes(metadata.uid))).toEqual([])
  expect({ bootstraps: bootstrapsIn(world), resets: resetsIn(world) }).toEqual({
    bootstraps: 1,
    resets: 0,
  })
  expect(world.fleet.machines.map(({ stage, isReady }) => ({ stage, isReady }))).toEqual([
    { stage: 'running', isReady: true },
    { stage: 'running', isReady: true },
  ])
  expect(await brokenInvariants(world)).toEqual([])
})
