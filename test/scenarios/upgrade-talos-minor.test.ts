import { expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { CONTRACT } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { validateConfig } from '#machineconfig/validate/validate.ts'
import { CONTROL_PLANE, deedsSince, onMachines, votersOf } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK, type Versions } from './manifests.ts'
import { watchedBriefly, workerIn } from './parts.ts'
import { untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000
const POOL = [Worker, 'pool'] as const
const SYSCTL = { machine: { sysctls: { 'vm.swappiness': '1' } } }

interface Cluster {
  world: World
  controlPlanes: readonly number[]
  workers: readonly number[]
}

const partsOf = ({ world, controlPlanes, workers }: Cluster, version: string) => {
  const parts = [
    watchedBriefly(onMachines(world, controlPlanes)),
    watchedBriefly(workerIn(world, { name: 'pool', joins: 'one', machines: workers })),
  ] as const
  return parts.map((part) => ({ ...part, spec: { ...part.spec, version } }))
}

/** A cluster that runs, with secrets that were brought along. */
async function running(of: Cluster, { talos }: Versions): Promise<void> {
  await of.world.bringSecrets('one')
  for (const part of partsOf(of, talos)) await of.world.objects.apply(part)
  await untilAsWanted(of.world, CONTROL_PLANE, POOL)
}

const raise = async ({ world }: Cluster, version: string) => {
  await world.objects.patch(ControlPlane, 'one', { spec: { version } })
  await world.objects.patch(Worker, 'pool', { spec: { version } })
  await untilAsWanted(world, CONTROL_PLANE, POOL)
}

/** What took machines to another version since then, in order: `upgrade.legacy 127.80.123.1`. */
const upgradesSince = (world: World, since: number) =>
  deedsSince(world, since)
    .filter((deed) => /^upgrade\..* done$/.test(deed))
    .map((deed) => deed.replace(/ done$/, ''))

const contractOf = async ({ objects }: World) =>
  (await objects.find(ControlPlane, 'one'))?.metadata.annotations?.[CONTRACT]

/** Kinds of documents, and whatever a version has against them. */
const configsIn = ({ fleet }: World, talosVersion: string) =>
  fleet.machines.map(({ config }) => ({
    errors: config && validateConfig(config, { mode: 'metal', talosVersion }).errors,
    documents: config?.documents.map(({ kind }) => kind.kind),
  }))

/** Has the pool configured otherwise, and tells whom that changed. */
async function configured(of: Cluster, version: string): Promise<string[]> {
  const { world } = of
  const before = world.history.length
  for (const part of partsOf(of, version)) await world.objects.apply(withPatch(part, SYSCTL))
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  return deedsSince(world, before)
}

const isAt = async ({ objects }: World, version: string) =>
  (await objects.list(Machine)).every(({ status }) => status?.observedVersion === version)

test('a cluster goes past the version that brings another way of upgrading, and is what it was', {
  timeout: LONG,
}, async () => {
  const versions = { talos: 'v1.12.4', kubernetes: 'v1.34.1' }
  await using world = await aWorld({ subnet: '127.80.123', machines: 5, versions })
  const of = { world, controlPlanes: [1, 2, 3], workers: [4, 5] }
  await running(of, versions)
  const [before, contract] = [world.history.length, await contractOf(world)]
  const documents = configsIn(world, 'v1.12.4').map((one) => one.documents)
  await raise(of, 'v1.13.0')

  const all = [1, 2, 3, 4, 5].map((at) => world.address(at))
  expect(upgradesSince(world, before)).toEqual(all.map((address) => `upgrade.legacy ${address}`))
  expect(await isAt(world, 'v1.13.0')).toBe(true)
  expect(votersOf(world)).toBe(3)
  expect(await contractOf(world)).toBe(contract)
  expect(configsIn(world, 'v1.13.0')).toEqual(
    documents.map((kinds) => ({ errors: [], documents: kinds })),
  )
  expect(await configured(of, 'v1.13.0')).toEqual(
    all.map((address) => `configuration.apply ${address} done`),
  )

  const later = world.history.length
  const machines = all.slice(0, 3).map((address) => ({ address }))
  await world.objects.patch(ControlPlane, 'one', {
    spec: {
      metalSpec: { machines: [{ ...machines[0], version: 'v1.13.1' }, ...machines.slice(1)] },
    },
  })
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  expect(upgradesSince(world, later)).toEqual([`upgrade.lifecycle ${world.address(1)}`])
  expect(await brokenInvariants(world)).toEqual([])
})

test('an old cluster goes to the next minor version and not past it, and is what it was', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.124', machines: 2, versions: QUICK })
  const of = { world, controlPlanes: [1], workers: [2] }
  await running(of, QUICK)
  const before = world.history.length
  // Not past one: that is refused, and touches nothing.
  await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.8.0' } })
  const refused = await untilSays(world, [Machine, `one-${world.address(1)}`], {
    ...{ type: 'Ready', reason: 'UpgradePathUnsupported' },
  })
  await world.pass(5)
  expect(refused).toContain('a release of v1.7 first')
  expect(deedsSince(world, before)).toEqual([])
  await raise(of, 'v1.7.6')

  expect(upgradesSince(world, before)).toEqual(
    [1, 2].map((at) => `upgrade.legacy ${world.address(at)}`),
  )
  expect(await isAt(world, 'v1.7.6')).toBe(true)
  expect(await contractOf(world)).toBe('v1.6')
  expect(configsIn(world, 'v1.7.6').map(({ errors }) => errors)).toEqual([[], []])
  expect(await configured(of, 'v1.7.6')).toEqual(
    [1, 2].map((at) => `configuration.apply ${world.address(at)} done`),
  )
  expect(await brokenInvariants(world)).toEqual([])
})
