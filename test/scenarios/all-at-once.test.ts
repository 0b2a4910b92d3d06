import { afterAll, beforeAll, expect, test } from 'vitest'
import { Event, Secret } from '#api/foreign.ts'
import type { KubeObject } from '#api/meta.ts'
import { controllersWith } from '#operator/controllers.ts'
import { brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { OURS } from './objects.ts'
import { untilGone, untilReady } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({
    ...{ subnet: '127.80.40', machines: 2, versions: QUICK },
    controllers: (ports) => controllersWith({ ...ports, writesMeta: true }),
  })
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

// One life of one cluster: each test begins where the one before it ended.

const secretNames = async () =>
  (await world.objects.list(Secret)).map(({ metadata }) => metadata.name)

test('what a machine is to have in META is written to it, once', { timeout: LONG }, async () => {
  const { spec, ...cluster } = world.cluster('one', [1], [2])
  const machineSpec = { meta: { interface: 'eth0', subnet: 24, gateway: '127.80.40.254' } }
  const metalSpec = { ...spec.controlPlane.metalSpec, machineSpec }
  await world.objects.apply({
    ...cluster,
    spec: { ...spec, controlPlane: { ...spec.controlPlane, metalSpec } },
  })

  await untilReady(world, 'one')
  await world.pass(5)

  const written = world.history.filter(({ method }) => method === 'meta.write')
  expect(written).toMatchObject([{ address: world.address(1), outcome: 'done' }])
  expect(await brokenInvariants(world)).toEqual([])
})

test('the keys of a cluster stay while it is there, though somebody deletes them', {
  timeout: LONG,
}, async () => {
  await world.objects.remove(Secret, 'one-secrets')

  // Somebody who looks is what tells of it: no change of a Secret wakes anybody.
  await world.pass(65)

  expect(await secretNames()).toContain('one-secrets')
  const events: (KubeObject & { reason?: string })[] = await world.objects.list(Event)
  expect(events.filter(({ reason }) => reason === 'SecretsDeleted')).toHaveLength(1)
  await untilReady(world, 'one')
})

test('everything is deleted at once, as with a namespace, and machines are wiped all the same', {
  timeout: LONG,
}, async () => {
  for (const kind of [...OURS, Secret]) {
    for (const { metadata } of await world.objects.list(kind)) {
      // What the deletion of another one took along is gone already.
      await world.objects.remove(kind, metadata.name).catch(() => {})
    }
  }

  await untilGone(world)

  const waits = () => world.fleet.machines.every(({ stage }) => stage === 'maintenance')
  await world.until('all machines to be in maintenance mode', waits)
  expect(resetsIn(world)).toBe(2)
  expect(await secretNames()).toEqual([])
  expect(await brokenInvariants(world)).toEqual([])
})
