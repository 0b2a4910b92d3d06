import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { ConfigMap, Event } from '#api/foreign.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Hardware } from '#simulator/machine/hardware.ts'
import { wordsFor } from './boundary.ts'
import { givenConfig } from './given-config.ts'
import { brokenInvariants, resetsIn } from './invariants.ts'
import { NEWEST } from './manifests.ts'
import { conditionOf, untilReady, untilSays, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const GIB = 1024 ** 3
const SOON_MINUTES = 5

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.6', machines: 7 })
  for (const name of ['one', 'two', 'three', 'even']) await world.bringSecrets(name)
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

// One life of several clusters. What is wrong is not in a spec alone, but in what it meets.

const machineAt = (cluster: string, number: number) =>
  [Machine, `${cluster}-${world.address(number)}`] as const

const callsTo = (number: number, since = 0) =>
  writesSince(world, since)
    .filter((call) => call.to === 'machine' && call.address === world.address(number))
    .map(wordsFor)

const changed = (cluster: ReturnType<World['cluster']>, over: object) => ({
  ...cluster,
  spec: { controlPlane: { ...cluster.spec.controlPlane, ...over } },
})

/** The cluster, until it says this of a part. */
const untilTells = (cluster: string, ...words: string[]) =>
  world.until(`${cluster} to say ${words.join(' … ')}`, async () => {
    const { status, message } = (await conditionOf(world, [Cluster, cluster], 'Ready')) ?? {}
    return status === 'False' && words.every((one) => message?.includes(one))
  })

/** Somebody opens the machine, and puts other disks in. */
function equip(number: number, sizes: readonly number[]): void {
  const [address, { fleet }] = [world.address(number), world]
  const [model] = fleet.machine(world.address(2))?.hardware.disks ?? []
  if (!model) throw new Error('machines have disks')
  const disks: Hardware['disks'] = sizes.map((size, at) => ({
    ...{ ...model, path: `/dev/sd${'abc'[at]}`, bytes: size * GIB },
  }))
  fleet.remove(address)
  fleet.add({ address, talosVersion: NEWEST.talos, hardware: { disks } })
}

const untilMachineSays = (cluster: string, number: number, reason: string) =>
  untilSays(world, machineAt(cluster, number), { type: 'Ready', reason })

test('a machine without a disk for Talos says what it needs, and is taken when it has that', {
  timeout: LONG,
}, async () => {
  const cluster = world.cluster('one', [1], [])
  const { machines } = cluster.spec.controlPlane.metalSpec
  const metalSpec = { machines, machineSpec: { installDisk: '/dev/sdc' } }
  equip(1, [4, 2])
  await world.objects.apply(changed(cluster, { metalSpec }))
  const missing = await untilMachineSays('one', 1, 'InstallDiskMissing')
  await untilTells('one', 'TalosControlPlane one (WaitingForMachines)', 'no disk /dev/sdc')

  await world.objects.apply(cluster)
  const small = await untilMachineSays('one', 1, 'InstallDiskTooSmall')
  equip(1, [])
  const none = await untilMachineSays('one', 1, 'NoInstallDisk')
  const meanwhile = callsTo(1)
  equip(1, [40])
  await untilReady(world, 'one')

  const has = 'it has /dev/sda (4 GiB), /dev/sdb (2 GiB)'
  expect(missing).toContain(`${has}. Set machineSpec.installDisk to one of these, or leave it out`)
  expect(small).toContain(`needs 6 GiB: ${has}. Attach a larger disk`)
  expect(none).toContain('it has none. Attach a writable disk of at least 6 GiB')
  expect(meanwhile).toEqual([])
})

test('an endpoint that answers for another cluster is seen before any machine is touched', {
  timeout: LONG,
}, async () => {
  const cluster = world.cluster('two', [2], [])
  const { endpoint } = world.cluster('one', [1], []).spec.controlPlane
  await world.objects.apply(changed(cluster, { endpoint }))
  const message = await untilSays(world, [ControlPlane, 'two'], {
    ...{ type: 'Ready', reason: 'EndpointOfAnotherCluster' },
  })
  await untilTells('two', 'TalosControlPlane two (EndpointOfAnotherCluster)')
  await world.pass(SOON_MINUTES)
  const meanwhile = [await world.objects.find(...machineAt('two', 2)), callsTo(2)]
  await world.objects.apply(cluster)
  await untilReady(world, 'two')

  expect(message).toContain(`what answers at ${endpoint} is not this cluster`)
  expect(message).toContain('Correct spec.endpoint, or what it leads to')
  expect(meanwhile).toEqual([undefined, []])
  expect(await conditionOf(world, [Cluster, 'one'], 'Ready')).toMatchObject({ status: 'True' })
})

test('a machine that somebody else uses is left alone, and forgotten when the address is mended', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(world.cluster('three', [3], []))
  await untilReady(world, 'three')
  // From now on nobody here knows whose it is.
  await world.objects.annotate(Cluster, 'three', { [FORCE_DELETION]: 'true' })
  await world.objects.remove(Cluster, 'three')
  await world.until('it to be forgotten', async () => {
    return (await world.objects.find(Cluster, 'three')) === undefined
  })
  const before = world.history.length

  await world.objects.apply(world.cluster('two', [2], [3]))
  const message = await untilMachineSays('two', 3, 'NotInMaintenance')
  await untilTells('two', 'TalosWorker two (MachinesNotReady)', world.address(3))
  await world.objects.apply(world.cluster('two', [2], [4]))
  await untilReady(world, 'two')

  expect(message).toContain('already has a configuration that is not of this cluster')
  expect(message).toMatch(/Wipe it with `talosctl reset`.*or correct the address/)
  expect([callsTo(3, before), resetsIn(world)]).toEqual([[], 0])
  expect(await world.objects.find(...machineAt('two', 3))).toBeUndefined()
  expect(world.fleet.machine(world.address(3))?.stage).toBe('running')
})

test('an endpoint of another cluster in the spec of one that runs changes no machine, and heals', {
  timeout: LONG,
}, async () => {
  const [before, cluster] = [world.history.length, world.cluster('two', [2], [4])]
  const { endpoint } = world.cluster('one', [1], []).spec.controlPlane
  const controlPlane = { ...cluster.spec.controlPlane, endpoint }
  await world.objects.apply({ ...cluster, spec: { ...cluster.spec, controlPlane } })
  const message = await untilSays(world, [ControlPlane, 'two'], {
    ...{ type: 'Ready', reason: 'EndpointOfAnotherCluster' },
  })
  await untilTells('two', 'TalosControlPlane two (EndpointOfAnotherCluster)')
  await world.pass(SOON_MINUTES)
  await world.objects.apply(cluster)
  await untilReady(world, 'two')

  expect(message).toContain(`what answers at ${endpoint} is not this cluster`)
  expect([callsTo(1, before), callsTo(2, before), callsTo(4, before)]).toEqual([[], [], []])
  expect(await conditionOf(world, [Cluster, 'one'], 'Ready')).toMatchObject({ status: 'True' })
})

test('two control planes are one too many or too few, which is told, and they come up', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(world.cluster('even', [5, 6], []))
  await untilReady(world, 'even')

  const events = await world.objects.list(Event)
  const told = events.filter(({ reason }) => reason === 'EvenControlPlanes')
  expect(told.map(({ type, regarding }) => [type, regarding?.kind, regarding?.name])).toEqual([
    ['Warning', 'TalosControlPlane', 'even'],
  ])
  expect(told[0]?.note).toContain('Use an odd number')
  expect(await brokenInvariants(world)).toEqual([])
})

test('a configRef that leads nowhere, or to garbage, is followed as soon as it leads to a configuration', {
  timeout: LONG,
}, async () => {
  const cluster = world.cluster('given', [7], [])
  const configRef = { name: 'given', key: 'talos.yaml' }
  await world.objects.apply(changed(cluster, { configRef }))
  const now = () => conditionOf(world, [ControlPlane, 'given'], 'Ready')
  const missing = await untilSays(world, [ControlPlane, 'given'], {
    ...{ type: 'Ready', reason: 'ConfigRefMissing' },
  })
  await world.objects.create(ConfigMap, { metadata: { name: 'given' }, data: { other: '' } })
  await world.pass(SOON_MINUTES)
  const without = await now()
  await world.objects.patch(ConfigMap, 'given', { data: { 'talos.yaml': '{ garbage' } })
  await world.pass(SOON_MINUTES)
  const garbage = await now()
  await untilTells('given', 'TalosControlPlane given (SecretsUnusable)')
  const meanwhile = callsTo(7)
  const text = await givenConfig(world, 'given')
  await world.objects.patch(ConfigMap, 'given', { data: { 'talos.yaml': text } })
  await untilReady(world, 'given')

  expect(missing).toContain('there is no ConfigMap given with a key talos.yaml')
  expect(without?.message).toBe(missing)
  expect(garbage?.reason).toBe('SecretsUnusable')
  expect(garbage?.message).toContain('ConfigMap default/given, key "talos.yaml"')
  expect(garbage?.message).toContain('Put the whole configuration of a control plane machine')
  expect(meanwhile).toEqual([])
})

test('a configuration that is damaged later takes nothing from the cluster that runs with it', {
  timeout: LONG,
}, async () => {
  const before = world.history.length
  const good = (await world.objects.find(ConfigMap, 'given'))?.data ?? {}
  await world.objects.patch(ConfigMap, 'given', { data: { 'talos.yaml': 'machine: {}' } })
  const message = await untilSays(world, [ControlPlane, 'given'], {
    ...{ type: 'Ready', reason: 'ConfigRefInvalid' },
  })
  await world.pass(SOON_MINUTES)
  await world.objects.patch(ConfigMap, 'given', { data: good })
  await untilReady(world, 'given')

  expect(message).toMatch(/^spec\.configRef: .*Correct it, or take it out\.$/)
  expect(callsTo(7, before)).toEqual([])
})
