import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { UPGRADE_FAILED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, deedsSince, onMachines, untilReady, votersOf } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { workerIn } from './parts.ts'
import { untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 300_000
const VERSIONS = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }
const FRONT = [Worker, 'front'] as const
const BACK = [Worker, 'back'] as const
// Two of the three, and nobody is watched for longer than it takes to be seen.
const TWO_AT_ONCE = { minReadySeconds: 1, rollingUpdate: { maxUnavailable: 2 } }

/** Which machines were told to boot, in the order of their addresses. */
const bootsSince = (world: World, since: number) =>
  deedsSince(world, since)
    .filter((deed) => /^reboot .* done$/.test(deed))
    .map((deed) => deed.split(' ')[1])
    .sort()

describe('what goes wrong with one worker', () => {
  let world: World
  const front = () => {
    const pool = workerIn(world, { name: 'front', joins: 'one', machines: [2, 3, 4] })
    return { ...pool, spec: { ...pool.spec, rolloutStrategy: TWO_AT_ONCE } }
  }
  const machine = (at: number) => [Machine, `front-${world.address(at)}`] as const
  const setPaused = (paused: boolean) =>
    world.objects.patch(Worker, 'back', { spec: { rolloutStrategy: { paused } } })

  /** The machine on which it went wrong does not answer for so many minutes, and says no more what went wrong. */
  async function goneFor(minutes: number): Promise<void> {
    const back = world.fault('unreachable', 2)
    await untilSays(world, machine(2), { type: 'Ready', reason: 'Unreachable' })
    await world.pass(minutes)
    back()
    await untilSays(world, FRONT, { type: 'Ready', reason: 'RolloutStopped' })
  }

  beforeAll(async () => {
    world = await aWorld({ subnet: '127.80.97', machines: 5, versions: VERSIONS })
    await world.bringSecrets('one')
    await world.objects.apply(onMachines(world, [1]))
    await world.objects.patch(ControlPlane, 'one', {
      spec: { rolloutStrategy: { minReadySeconds: 1 } },
    })
    await world.objects.apply(front())
    await world.objects.apply(workerIn(world, { name: 'back', joins: 'one', machines: [5] }))
    await untilAsWanted(world, CONTROL_PLANE, FRONT, BACK)
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test('that does not take its configuration keeps it from the rest of the pool', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const refusing = world.fault('rejects-config', 2)
    await world.objects.apply(
      withPatch(front(), { machine: { sysctls: { 'vm.swappiness': '1' } } }),
    )
    const said = await untilSays(world, FRONT, { type: 'Ready', reason: 'RolloutStopped' })
    await world.pass(10)

    expect(said).toMatch(
      /^front-127\.80\.97\.4 is not changed .* with front-127\.80\.97\.2, .* does not take/,
    )
    expect(deedsSince(world, before)).toEqual([`configuration.apply ${world.address(3)} done`])
    await goneFor(10)
    expect(deedsSince(world, before)).toEqual([`configuration.apply ${world.address(3)} done`])
    refusing()
    await world.objects.apply(
      withPatch(front(), { machine: { sysctls: { 'vm.swappiness': '2' } } }),
    )
    await untilAsWanted(world, CONTROL_PLANE, FRONT, BACK)
  })

  test('that falls back to its old Talos keeps it from all workers, until somebody says otherwise', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const well = world.fault('falls-back', 2)
    await setPaused(true)
    for (const [kind, name] of [CONTROL_PLANE, FRONT, BACK]) {
      await world.objects.patch(kind, name, { spec: { version: 'v1.13.1' } })
    }
    await untilSays(world, machine(2), { type: 'Ready', reason: 'UpgradeFailed' })
    await setPaused(false)
    await untilSays(world, FRONT, { type: 'Ready', reason: 'RolloutStopped' })
    const said = await untilSays(world, BACK, { type: 'Ready', reason: 'RolloutStopped' })
    await world.pass(20)

    expect(said).toMatch(/^back-127\.80\.97\.5 is not changed .* with front-127\.80\.97\.2/)
    expect(bootsSince(world, before)).toEqual([1, 2, 3].map((at) => world.address(at)))
    await goneFor(20)
    expect(bootsSince(world, before)).toEqual([1, 2, 3].map((at) => world.address(at)))
    well()
    await world.objects.patch(...machine(2), {
      metadata: { annotations: { [UPGRADE_FAILED]: null } },
    })
    await untilAsWanted(world, CONTROL_PLANE, FRONT, BACK)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('makes an upgrade of Kubernetes one that failed, for as long as it is wrong', {
    timeout: LONG,
  }, async () => {
    const there = world.fault('registry-refuses', 2, 'image=kubelet:v1.34.2')
    for (const [kind, name] of [CONTROL_PLANE, FRONT, BACK]) {
      await world.objects.patch(kind, name, { spec: { kubeVersion: 'v1.34.2' } })
    }
    const said = await untilSays(world, CONTROL_PLANE, {
      ...{ type: 'KubernetesUpgradeFailed', reason: 'UpgradeFailed' },
    })

    expect(said).toMatch(/front-127\.80\.97\.2: .*kubelet:v1\.34\.2/)
    expect((await world.objects.find(ControlPlane, 'one'))?.status?.state).toBe(
      'KubernetesUpgradeFailed',
    )
    there()
    await untilAsWanted(world, CONTROL_PLANE, FRONT, BACK)
    const all = await world.objects.list(Machine)
    expect(all.map(({ status }) => status?.kubernetes?.kubelet)).toEqual(Array(5).fill('v1.34.2'))
    expect(await brokenInvariants(world)).toEqual([])
  })
})

test('a machine that does not come back in its turn can be taken out of the spec', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.98', machines: 4, versions: VERSIONS })
  await world.bringSecrets('one')
  await world.objects.apply(onMachines(world, [1, 2, 3]))
  await untilAsWanted(world, CONTROL_PLANE)
  const before = world.history.length
  await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.13.1' } })
  await world.until('the first to be told', () => bootsSince(world, before).length === 1)
  const back = world.fault('unreachable', 1)
  await untilSays(world, [Machine, `one-${world.address(1)}`], {
    ...{ type: 'Ready', reason: 'MachineNotBack' },
  })
  const { spec, ...others } = onMachines(world, [2, 3, 4])
  await world.objects.apply({ ...others, spec: { ...spec, version: 'v1.13.1' } })
  await world.until('three others to be etcd', () => votersOf(world) === 3)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'AsWanted' })
  back()
  await untilReady(world, [2, 3, 4])

  const found = await world.objects.list(Machine)
  expect(found.map(({ status }) => status?.observedVersion)).toEqual(Array(3).fill('v1.13.1'))
  expect(votersOf(world)).toBe(3)
  expect(await brokenInvariants(world)).toEqual([])
})

test('a worker that fell back can be taken out of the spec, also while the rollout is paused', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.118', machines: 4, versions: VERSIONS })
  const poolOn = (machines: readonly number[], rolloutStrategy: object) => {
    const { spec, ...pool } = workerIn(world, { name: 'front', joins: 'one', machines })
    return { ...pool, spec: { ...spec, version: 'v1.13.1', rolloutStrategy } }
  }
  const wellAfterASecond = { minReadySeconds: 1 }
  await world.bringSecrets('one')
  await world.objects.apply(onMachines(world, [1]))
  await world.objects.apply(workerIn(world, { name: 'front', joins: 'one', machines: [2, 3, 4] }))
  await untilAsWanted(world, CONTROL_PLANE, FRONT)
  world.fault('falls-back', 2)
  await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.13.1' } })
  await world.objects.apply(poolOn([2, 3, 4], wellAfterASecond))
  await untilSays(world, FRONT, { type: 'Ready', reason: 'RolloutStopped' })
  const before = world.history.length
  await world.objects.apply(poolOn([3, 4], { ...wellAfterASecond, paused: true }))
  await world.until('it to be gone', async () => (await world.objects.list(Machine)).length === 3)
  await world.pass(5)
  expect(deedsSince(world, before)).toEqual([`reset ${world.address(2)} done`])

  await world.objects.apply(poolOn([3, 4], { ...wellAfterASecond, paused: false }))
  await untilAsWanted(world, CONTROL_PLANE, FRONT)
  expect(bootsSince(world, before)).toEqual([3, 4].map((at) => world.address(at)))
  expect(await brokenInvariants(world)).toEqual([])
})

test('a machine of a control plane that fell back can be replaced while the others wait', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.119', machines: 4, versions: VERSIONS })
  await world.bringSecrets('one')
  await world.objects.apply(onMachines(world, [1, 2, 3]))
  await untilAsWanted(world, CONTROL_PLANE)
  world.fault('falls-back', 1)
  await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.13.1' } })
  await untilSays(world, [Machine, `one-${world.address(1)}`], {
    ...{ type: 'Ready', reason: 'UpgradeFailed' },
  })
  const before = world.history.length
  const { spec, ...others } = onMachines(world, [2, 3, 4])
  await world.objects.apply({ ...others, spec: { ...spec, version: 'v1.13.1' } })
  await untilReady(world, [2, 3, 4])

  expect(bootsSince(world, before)).toEqual([2, 3].map((at) => world.address(at)))
  expect(deedsSince(world, before)).toContain(`reset ${world.address(1)} done`)
  expect(votersOf(world)).toBe(3)
  expect(await brokenInvariants(world)).toEqual([])
})
