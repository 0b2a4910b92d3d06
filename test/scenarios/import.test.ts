import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { ConfigMap, Secret } from '#api/foreign.ts'
import { ADOPTED, CONFIG, CONSENT, MACHINE_UUID, RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { deedsSince, votersOf } from './a-control-plane.ts'
import { wordsFor } from './boundary.ts'
import { untilAsWanted } from './changed-configs.ts'
import { aForeignCluster, CONFIG_REFS, importedCluster } from './foreign-cluster.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { toldOf } from './told.ts'
import { untilGone, untilReady, untilSays, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

// One life of a cluster that somebody else made: each test begins where the one before it ended.

const LONG = 120_000
const SHAPE = { controlPlanes: [1, 2, 3], workers: [4] }
const PARTS = [
  [ControlPlane, 'one'],
  [Worker, 'one'],
] as const

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.90', machines: 4, versions: QUICK })
  await aForeignCluster(world, SHAPE)
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

const statusOf = async ([kind, name]: readonly [ApiKind, string]) =>
  Object(await world.objects.find(kind, name)).status

test('it is taken over as it runs, and nothing is changed on any machine', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(importedCluster(world, SHAPE))
  await untilReady(world, 'one')
  await world.pass(10)

  const machines = await world.objects.list(Machine)
  for (const part of [...PARTS, ...machines.map(({ metadata }) => [Machine, metadata.name])]) {
    const [kind, name] = part as (typeof PARTS)[number] // each is of a kind and has a name
    expect(await statusOf([kind, name])).toMatchObject({ imported: true })
    expect(await toldOf(world, [kind, name])).toContainEqual(expect.stringMatching(/^Imported: /))
  }
  for (const { metadata, status } of machines) {
    expect(metadata.annotations).toMatchObject({ [MACHINE_UUID]: status?.uuid, [ADOPTED]: 'true' })
    expect(metadata.annotations).toHaveProperty([CONFIG])
  }
  const secrets = (await world.objects.list(Secret)).map(({ metadata }) => metadata.name)
  expect(secrets).toEqual(
    expect.arrayContaining(['one-kubeconfig', 'one-secrets', 'one-talosconfig']),
  )
  expect(world.history.filter(({ to }) => to === 'machine')).toEqual([])
  expect([bootstrapsIn(world), resetsIn(world), votersOf(world)]).toEqual([1, 0, 3])
  expect(await brokenInvariants(world)).toEqual([])
})

test('it needs nothing more then', { timeout: LONG }, async () => {
  const before = world.history.length
  await world.pass(60)

  expect(writesSince(world, before).map(wordsFor)).toEqual([])
})

test('without the mode it stays what it is', { timeout: LONG }, async () => {
  const { metadata, ...cluster } = importedCluster(world, SHAPE)
  const without = { ...cluster, metadata: { ...metadata, annotations: {} } }
  await world.objects.apply(without)
  await world.until('the mode to be gone from its parts', async () => {
    const parts = [
      ...(await world.objects.list(ControlPlane)),
      ...(await world.objects.list(Worker)),
    ]
    return parts.every((part) => part.metadata.annotations?.[RECONCILE_MODE] === undefined)
  })
  await world.pass(10)

  await untilAsWanted(world, ...PARTS)
  expect(deedsSince(world, 0)).toEqual([])
})

test('a machine whose object is deleted runs on, and is taken over again', {
  timeout: LONG,
}, async () => {
  const name = `one-${world.address(2)}`
  const former = (await world.objects.find(Machine, name))?.metadata.uid
  await world.objects.remove(Machine, name)
  await world.until('another object', async () => {
    const { uid, annotations } = (await world.objects.find(Machine, name))?.metadata ?? {}
    return uid !== former && annotations?.[ADOPTED] !== undefined
  })
  await untilAsWanted(world, ...PARTS)

  expect(deedsSince(world, 0)).toEqual([])
  expect(await toldOf(world, [Machine, name])).toContainEqual(
    expect.stringContaining('goes on running, because it was imported'),
  )
})

test('a machine that leaves the list runs on, member of etcd and all, and can be put back', {
  timeout: LONG,
}, async () => {
  const [name, manifest] = [`one-${world.address(3)}`, importedCluster(world, SHAPE)]
  await world.objects.apply(importedCluster(world, { ...SHAPE, controlPlanes: [1, 2] }))
  await world.until('it to be let go', async () => !(await world.objects.find(Machine, name)))
  await untilAsWanted(world, ...PARTS)
  expect(votersOf(world)).toBe(3)

  await world.objects.apply(manifest)
  await world.until('it to be back', async () => {
    const found = await world.objects.find(Machine, name)
    return found?.metadata.annotations?.[ADOPTED] !== undefined
  })
  await untilAsWanted(world, ...PARTS)
  expect(deedsSince(world, 0)).toEqual([])
})

test('an edit is rolled out, one machine after the other', { timeout: LONG }, async () => {
  const before = world.history.length
  const { data = {} } = (await world.objects.find(ConfigMap, CONFIG_REFS.controlPlane.name)) ?? {}
  const { key } = CONFIG_REFS.controlPlane
  const edited = data[key]?.replace(
    /^machine:$/m,
    'machine:\n    sysctls:\n        vm.swappiness: "1"',
  )
  await world.objects.patch(ConfigMap, CONFIG_REFS.controlPlane.name, { data: { [key]: edited } })
  await world.until('three changes', () => deedsSince(world, before).length === 3)
  await untilAsWanted(world, ...PARTS)

  expect(deedsSince(world, before)).toEqual(
    [1, 2, 3].map((at) => `configuration.apply ${world.address(at)} done`),
  )
  expect(await brokenInvariants(world)).toEqual([])
})

test('a machine that runs another schematic than its image names is installed anew by consent alone', {
  timeout: LONG,
}, async () => {
  const before = world.history.length
  const [machine, schematic] = [[Machine, `one-${world.address(4)}`] as const, 'b'.repeat(64)]
  const image = `factory.talos.dev/installer/${schematic}`
  const { spec, ...cluster } = importedCluster(world, SHAPE)
  const metalSpec = { ...spec.worker?.metalSpec, machineSpec: { image } }
  await world.objects.apply({
    ...{ ...cluster, spec: { ...spec, worker: { ...spec.worker, metalSpec } } },
  })
  const said = await untilSays(world, machine, { type: 'Ready', reason: 'WaitsForConsent' })
  await world.pass(10)
  expect(deedsSince(world, before)).toEqual([])

  const [, consent = ''] = new RegExp(`${CONSENT}=(\\w+)`).exec(said) ?? []
  await world.objects.patch(...machine, { metadata: { annotations: { [CONSENT]: consent } } })
  await untilAsWanted(world, ...PARTS)
  expect(deedsSince(world, before)).toContain(`upgrade.legacy ${world.address(4)} done`)
  expect(world.fleet.machine(world.address(4))?.schematic).toBe(schematic)
  expect(await brokenInvariants(world)).toEqual([])
})

test('when it is deleted, what was never configured here runs on', { timeout: LONG }, async () => {
  await world.objects.remove(Cluster, 'one')
  await untilGone(world)
  await world.pass(5)

  expect(world.fleet.machine(world.address(4))?.stage).toBe('running')
  // These were given a configuration by this operator, at the edit.
  expect(resetsIn(world)).toBe(3)
  expect(await brokenInvariants(world)).toEqual([])
})
