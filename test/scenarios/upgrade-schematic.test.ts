import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Event } from '#api/foreign.ts'
import { UPGRADE_FAILED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, deedsSince, onMachines, untilReady, votersOf } from './a-control-plane.ts'
import { untilAsWanted } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { watchedBriefly, workerIn } from './parts.ts'
import { untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 300_000
const POOL = [Worker, 'pool'] as const
const [A, B] = ['a'.repeat(64), 'b'.repeat(64)]
const imageOf = (schematic: string) => `factory.talos.dev/metal-installer/${schematic}`

/** The same object, whose machines are installed from this image. */
function withImage<Part extends { spec: object }>(part: Part, image: string) {
  const { metalSpec } = Object(part.spec)
  const machineSpec = { ...metalSpec?.machineSpec, image }
  return { ...part, spec: { ...part.spec, metalSpec: { ...metalSpec, machineSpec } } }
}

const controlPlaneOf = (world: World, machines: readonly number[], image: string) =>
  withImage(watchedBriefly(onMachines(world, machines)), image)
const poolOf = (world: World, machines: readonly number[], image: string) =>
  withImage(watchedBriefly(workerIn(world, { name: 'pool', joins: 'one', machines })), image)

/** Which machines were told to install, and which to boot, in this order. */
const toldSince = (world: World, since: number) => {
  const deeds = deedsSince(world, since).filter((deed) => deed.endsWith(' done'))
  const by = (called: RegExp) =>
    deeds.filter((deed) => called.test(deed)).map((deed) => deed.split(' ')[1])
  return { installs: by(/^upgrade\./), boots: by(/^(reboot|upgrade\.legacy) /) }
}

const schematicsOf = (world: World, machines: readonly number[]) =>
  machines.map((at) => world.fleet.machine(world.address(at))?.schematic)

const shownIn = async ({ objects }: World) =>
  (await objects.list(Machine)).map(({ status }) => status?.observedSchematic)

describe.each([
  { how: 'in one call, before v1.13', subnet: '127.80.111', talos: 'v1.12.4' },
  { how: 'step by step, since v1.13', subnet: '127.80.112', talos: 'v1.13.0' },
])('an image of another schematic is installed $how', ({ subnet, talos }) => {
  let world: World
  beforeAll(async () => {
    const versions = { talos, kubernetes: 'v1.34.1' }
    world = await aWorld({ subnet, machines: 4, versions })
    await world.bringSecrets('one')
    await world.objects.apply(controlPlaneOf(world, [1, 2, 3], imageOf(A)))
    await world.objects.apply(poolOf(world, [4], imageOf(A)))
    await untilAsWanted(world, CONTROL_PLANE, POOL)
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test('on one machine after the other, once, and is read back', { timeout: LONG }, async () => {
    const before = world.history.length
    await world.objects.apply(controlPlaneOf(world, [1, 2, 3], imageOf(B)))
    await world.objects.apply(poolOf(world, [4], imageOf(B)))
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'RollingOut' })
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    await world.pass(20)

    const each = [1, 2, 3, 4].map((at) => world.address(at))
    expect(toldSince(world, before)).toEqual({ installs: each, boots: each })
    expect(schematicsOf(world, [1, 2, 3, 4])).toEqual(Array(4).fill(B))
    expect(await shownIn(world)).toEqual(Array(4).fill(B))
    expect(votersOf(world)).toBe(3)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('nowhere else after one machine came back with the old one', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const well = world.fault('falls-back', 1)
    const first = [Machine, `one-${world.address(1)}`] as const
    await world.objects.apply(controlPlaneOf(world, [1, 2, 3], imageOf(A)))
    await world.objects.apply(poolOf(world, [4], imageOf(A)))
    const said = await untilSays(world, first, { type: 'Ready', reason: 'UpgradeFailed' })
    await world.pass(20)

    expect(said).toContain(`from the schematic ${B} to the schematic ${A}`)
    expect(toldSince(world, before).installs).toEqual([world.address(1)])
    expect(schematicsOf(world, [1, 2, 3, 4])).toEqual(Array(4).fill(B))
    well()
    await world.objects.patch(...first, { metadata: { annotations: { [UPGRADE_FAILED]: null } } })
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    expect(schematicsOf(world, [1, 2, 3, 4])).toEqual(Array(4).fill(A))
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('on one machine alone, if it is that of one', { timeout: LONG }, async () => {
    const before = world.history.length
    const { spec, ...rest } = controlPlaneOf(world, [1, 2, 3], imageOf(A))
    const machines = [1, 2, 3].map((at) => ({
      ...{ address: world.address(at), ...(at === 2 && { image: imageOf(B) }) },
    }))
    const metalSpec = { ...spec.metalSpec, machines }
    await world.objects.apply({ ...rest, spec: { ...spec, metalSpec } })
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(toldSince(world, before).installs).toEqual([world.address(2)])
    expect(schematicsOf(world, [1, 2, 3])).toEqual([A, B, A])
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('never if its name says of no schematic, which is told', { timeout: LONG }, async () => {
    const before = world.history.length
    await world.objects.apply(poolOf(world, [4], 'registry.example.com/installer'))
    await untilAsWanted(world, POOL)
    await world.pass(5)

    expect(toldSince(world, before)).toEqual({ installs: [], boots: [] })
    expect(schematicsOf(world, [4])).toEqual([A])
    const events: (KubeObject & { reason?: string })[] = await world.objects.list(Event)
    expect(events.filter(({ reason }) => reason === 'ImageNotInstalled')).toHaveLength(1)
    expect(await brokenInvariants(world)).toEqual([])
  })
})

test('of two members of etcd neither is rebooted for another schematic, until one is taken out', {
  timeout: LONG,
}, async () => {
  const versions = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }
  await using world = await aWorld({ subnet: '127.80.113', machines: 2, versions })
  await world.bringSecrets('one')
  await world.objects.apply(controlPlaneOf(world, [1, 2], imageOf(A)))
  await untilAsWanted(world, CONTROL_PLANE)
  const before = world.history.length
  await world.objects.patch(ControlPlane, 'one', {
    spec: { metalSpec: { machineSpec: { image: imageOf(B) } } },
  })
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'QuorumWouldBeLost' })
  await world.pass(10)

  expect(toldSince(world, before)).toEqual({ installs: [], boots: [] })
  await world.objects.apply(controlPlaneOf(world, [1], imageOf(B)))
  await untilReady(world, [1])
  await untilAsWanted(world, CONTROL_PLANE)
  expect(toldSince(world, before)).toEqual({
    ...{ installs: [world.address(1)], boots: [world.address(1)] },
  })
  expect(schematicsOf(world, [1])).toEqual([B])
  expect(votersOf(world)).toBe(1)
  expect(await brokenInvariants(world)).toEqual([])
})
