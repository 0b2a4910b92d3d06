import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { brokenInvariants } from './invariants.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { toldOf } from './told.ts'
import { untilReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.19', machines: 1 })
  await world.bringSecrets('one')
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

/** As it is, but for a mode that is not built. */
const elsewhere = <Made extends { spec: object }>(made: Made, mode: 'container' | 'cloud') => ({
  ...made,
  spec: { ...made.spec, mode, replicas: 1 },
})
const controlPlane = (name: string) => controlPlaneIn(world, name, [1])
const worker = (name: string) => workerIn(world, { name, joins: 'boxes', machines: [1] })
const told = async (of: readonly [ApiKind, string], reason: string) =>
  (await toldOf(world, of)).filter((one) => one.startsWith(`${reason}: `))

test('a mode that is not built yet is said in the status and in one event, and nothing is done', {
  timeout: LONG,
}, async () => {
  const manifests = [
    elsewhere(controlPlane('boxes'), 'container'),
    elsewhere(controlPlane('sky'), 'cloud'),
    elsewhere(worker('boxes'), 'container'),
    elsewhere(worker('sky'), 'cloud'),
  ]
  for (const manifest of manifests) await world.objects.apply(manifest)
  const wanted = { type: 'Ready', reason: 'NotSupportedYet' }

  for (const kind of [ControlPlane, Worker]) {
    for (const { metadata } of await world.objects.list(kind)) {
      await untilSays(world, [kind, metadata.name], wanted)
    }
  }
  await world.pass(10)

  for (const kind of [ControlPlane, Worker]) {
    for (const { metadata } of await world.objects.list(kind)) {
      expect(await told([kind, metadata.name], 'NotSupportedYet')).toHaveLength(1)
    }
  }
  expect(world.history.filter(({ to }) => to === 'machine')).toEqual([])
  expect((await world.objects.list(Secret)).map(({ metadata }) => metadata.name)).toEqual([
    'one-secrets',
  ])
  expect(await world.objects.list(Machine)).toEqual([])
})

test('a field that is not built yet is told, and the rest is done as asked', {
  timeout: LONG,
}, async () => {
  const { spec, ...cluster } = world.cluster('one', [1], [])
  const pxeClientSpec = { macAddress: '02:00:00:00:00:01', cpuArchitecture: 'amd64' }
  const metalSpec = {
    machines: [{ address: world.address(1), pxeClientSpec }],
    machineSpec: { meta: { interface: 'eth0', subnet: 24 } },
  }
  await world.objects.apply({
    ...cluster,
    spec: {
      controlPlane: { ...spec.controlPlane, metalSpec },
      pxeServerSpec: { address: '192.0.2.1', interface: 'eth0' },
    },
  })

  await untilReady(world, 'one')
  await world.pass(2)

  const ofCluster = await told([Cluster, 'one'], 'NotSupportedYet')
  expect(ofCluster.filter((one) => one.includes('spec.pxeServerSpec'))).toHaveLength(1)
  const ofControlPlane = await told([ControlPlane, 'one'], 'NotSupportedYet')
  expect(ofControlPlane).toEqual([expect.stringContaining('machines[0].pxeClientSpec')])
  expect(await told([ControlPlane, 'one'], 'MetaNotWritten')).toHaveLength(1)
  expect(await brokenInvariants(world)).toEqual([])
})
