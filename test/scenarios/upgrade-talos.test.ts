import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { UPGRADE_FAILED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, deedsSince, onMachines, votersOf } from './a-control-plane.ts'
import { untilAsWanted } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { workerIn } from './parts.ts'
import { untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 300_000
const POOL = [Worker, 'pool'] as const

const versionsIn = async ({ objects }: World) =>
  (await objects.list(Machine)).map(({ status }) => status?.observedVersion)

const setVersion = async ({ objects }: World, version: string) => {
  await objects.patch(ControlPlane, 'one', { spec: { version } })
  await objects.patch(Worker, 'pool', { spec: { version } })
}

/** Which machines were told to boot, in this order. */
const bootsSince = (world: World, since: number) =>
  deedsSince(world, since)
    .filter((deed) => /^(reboot|upgrade\.legacy) .* done$/.test(deed))
    .map((deed) => deed.split(' ')[1])

/** Which machines were told to install which image, in this order. */
const installsSince = ({ history }: World, since: number) =>
  history
    .slice(since)
    .filter((call) => call.to === 'machine')
    .filter(({ method, outcome }) => /^upgrade\./.test(method) && outcome === 'done')

describe.each([
  { how: 'in one call, before v1.13', subnet: '127.80.63', from: 'v1.12.4', to: 'v1.12.5' },
  {
    how: 'to the first that knows the new way',
    subnet: '127.80.64',
    from: 'v1.12.4',
    to: 'v1.13.0',
  },
  { how: 'step by step, since v1.13', subnet: '127.80.65', from: 'v1.13.0', to: 'v1.13.1' },
])('Talos is upgraded $how', ({ subnet, from, to }) => {
  let world: World
  beforeAll(async () => {
    const versions = { talos: from, kubernetes: 'v1.34.1' }
    world = await aWorld({ subnet, machines: 4, versions })
    await world.bringSecrets('one')
    await world.objects.apply(onMachines(world, [1, 2, 3]))
    await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [4] }))
    await untilAsWanted(world, CONTROL_PLANE, POOL)
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test('one machine after the other, the control plane before the workers', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    await setVersion(world, to)
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'RollingOut' })
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(await versionsIn(world)).toEqual([to, to, to, to])
    expect(bootsSince(world, before)).toEqual([1, 2, 3, 4].map((at) => world.address(at)))
    expect(votersOf(world)).toBe(3)
    expect(await brokenInvariants(world)).toEqual([])
  })
})

describe('an upgrade', () => {
  let world: World
  beforeAll(async () => {
    const versions = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }
    world = await aWorld({ subnet: '127.80.66', machines: 4, versions })
    await world.bringSecrets('one')
    await world.objects.apply(onMachines(world, [1, 2, 3]))
    await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [4] }))
    await untilAsWanted(world, CONTROL_PLANE, POOL)
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test('to an older version is refused with what to set', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const first = [Machine, `one-${world.address(1)}`] as const
    await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.12.4' } })
    await untilSays(world, first, { type: 'Ready', reason: 'DowngradeRefused' })
    await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.13.0' } })
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(deedsSince(world, before)).toEqual([])
  })

  test('to a version that does not exist touches nothing, and is mended by another', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const exists = world.fault('registry-refuses', 1, 'image=v1.13.77')
    await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.13.77' } })
    const said = await untilSays(world, [Machine, `one-${world.address(1)}`], {
      ...{ type: 'Ready', reason: 'ImagePullFailed' },
    })
    await world.pass(10)

    expect(said).toContain('v1.13.77')
    expect(bootsSince(world, before)).toEqual([])
    await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.13.0' } })
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    exists()
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('that falls back stops everything, until somebody says otherwise', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const well = world.fault('falls-back', 1)
    await setVersion(world, 'v1.13.1')
    await untilSays(world, [Machine, `one-${world.address(1)}`], {
      ...{ type: 'Ready', reason: 'UpgradeFailed' },
    })
    await world.pass(20)

    expect(bootsSince(world, before)).toEqual([world.address(1)])
    well()
    await world.objects.patch(Machine, `one-${world.address(1)}`, {
      metadata: { annotations: { [UPGRADE_FAILED]: null } },
    })
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    expect(await versionsIn(world)).toEqual(Array(4).fill('v1.13.1'))
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('of one machine alone tries the version out', { timeout: LONG }, async () => {
    const manifest = onMachines(world, [1, 2, 3])
    const machines = manifest.spec.metalSpec.machines.map((one, at) => ({
      ...one,
      ...(at === 1 && { version: 'v1.13.2' }),
    }))
    const metalSpec = { ...manifest.spec.metalSpec, machines }
    const before = world.history.length
    await world.objects.apply({
      ...manifest,
      spec: { ...manifest.spec, version: 'v1.13.1', metalSpec },
    })
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(bootsSince(world, before)).toEqual([world.address(2)])
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('waits for a machine that does not come back, and says so', { timeout: LONG }, async () => {
    const before = world.history.length
    await setVersion(world, 'v1.13.2')
    await world.until('the worker to be told', () =>
      bootsSince(world, before).includes(world.address(4)),
    )
    const back = world.fault('unreachable', 4)
    await untilSays(world, [Machine, `pool-${world.address(4)}`], {
      ...{ type: 'Ready', reason: 'MachineNotBack' },
    })
    back()
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(bootsSince(world, before)).toEqual([1, 3, 4].map((at) => world.address(at)))
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('that is edited while the first machine boots brings the others to the last version alone', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const { spec, ...manifest } = onMachines(world, [1, 2, 3])
    await world.objects.apply({ ...manifest, spec: { ...spec, version: 'v1.13.3' } })
    await world.until('the first to be told', () => bootsSince(world, before).length === 1)
    await setVersion(world, 'v1.13.4')
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(await versionsIn(world)).toEqual(Array(4).fill('v1.13.4'))
    const installs = installsSince(world, before)
    const [first, ...images] = installs.map(({ image }) => image)
    expect(installs.map(({ address }) => address)).toEqual(
      [1, 1, 2, 3, 4].map((at) => world.address(at)),
    )
    expect(new Set(images).size).toBe(1)
    expect(images).not.toContain(first)
    expect(bootsSince(world, before)).toEqual([1, 1, 2, 3, 4].map((at) => world.address(at)))
    expect(await brokenInvariants(world)).toEqual([])
  })
})
