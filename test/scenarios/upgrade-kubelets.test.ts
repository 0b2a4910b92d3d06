import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KUBE_UPGRADE, KUBELETS } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, onMachines } from './a-control-plane.ts'
import { isMachineChange } from './boundary.ts'
import { untilAsWanted } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { workerIn } from './parts.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 300_000
const FIRST = [Worker, 'first'] as const
const SECOND = [Worker, 'second'] as const
const [OLD, NEW] = ['v1.33.4', 'v1.34.1']

/** A control plane of one, a pool of two that is a minor version behind, and a pool of one. */
async function twoPools(subnet: string): Promise<World> {
  const world = await aWorld({
    ...{ subnet, machines: 4, versions: { talos: 'v1.13.0', kubernetes: NEW } },
  })
  await world.bringSecrets('one')
  await world.objects.apply(onMachines(world, [1]))
  const first = workerIn(world, { name: 'first', joins: 'one', machines: [2, 3] })
  await world.objects.apply({ ...first, spec: { ...first.spec, kubeVersion: OLD } })
  await world.objects.apply(workerIn(world, { name: 'second', joins: 'one', machines: [4] }))
  await untilAsWanted(world, CONTROL_PLANE, FIRST, SECOND)
  return world
}

const kubeletsOf = async ({ objects }: World) =>
  (await objects.list(Machine)).map(({ status }) => status?.kubernetes?.kubelet)

const talosOf = async ({ objects }: World) =>
  (await objects.list(Machine)).map(({ status }) => status?.observedVersion)

/** What became of versions, by the numbers of machines: `talos 4`, `kubelet 2`. */
const versionDeeds = (world: World, since: number): string[] =>
  world.history
    .slice(since)
    .filter(isMachineChange)
    .flatMap((call) => {
      const number = call.address.split('.').at(-1)
      if (call.method === 'upgrade.lifecycle') return [`talos ${number}`]
      const had = call.kubernetes?.machines.find(({ isOwn }) => isOwn)?.versions.kubelet
      const { kubelet = had } = call.brings ?? {}
      return kubelet === had ? [] : [`kubelet ${number}`]
    })

/** Of the control plane, which no pool may be ahead of, and of a pool. */
const setTalos = async ({ objects }: World, version: string, pool: string) => {
  await objects.patch(...CONTROL_PLANE, { spec: { version } })
  await objects.patch(Worker, pool, { spec: { version } })
}

const isInstalling = (world: World, number: number): boolean => {
  const { talosVersion, installedVersion } = world.fleet.machine(world.address(number)) ?? {}
  return installedVersion !== undefined && installedVersion !== talosVersion
}

const phaseIn = async ({ objects }: World) =>
  (await objects.find(...CONTROL_PLANE))?.metadata.annotations?.[KUBELETS]

describe('a pool whose own kubeVersion is raised', () => {
  let world: World
  beforeAll(async () => {
    world = await twoPools('127.80.94')
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test('gets its kubelets, one after the other, and nobody else is touched', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    expect(await kubeletsOf(world)).toEqual([OLD, OLD, NEW, NEW])
    await world.objects.patch(...FIRST, { spec: { kubeVersion: 'v1.33.5' } })
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'UpgradingKubernetes' })
    await untilAsWanted(world, CONTROL_PLANE, FIRST, SECOND)

    expect(versionDeeds(world, before)).toEqual(['kubelet 2', 'kubelet 3'])
    expect(await kubeletsOf(world)).toEqual(['v1.33.5', 'v1.33.5', NEW, NEW])
    expect(await phaseIn(world)).toBeUndefined()
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('waits until an upgrade of Talos in another pool, that came first, is over', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    await setTalos(world, 'v1.13.1', 'second')
    await world.until('the other pool to be upgraded', () => isInstalling(world, 4))
    await world.objects.patch(...FIRST, { spec: { kubeVersion: 'v1.33.6' } })
    const machine = [Machine, `first-${world.address(2)}`] as const
    const ready = { type: 'Ready', reason: 'KubernetesUpgradePending' }
    const said = await untilSays(world, machine, ready)
    const ofPool = await untilSays(world, FIRST, ready)
    const ofCluster = await untilSays(world, CONTROL_PLANE, ready)
    await untilAsWanted(world, CONTROL_PLANE, FIRST, SECOND)

    expect(said).toContain('never while a machine of the cluster gets another Talos')
    expect(ofPool).toContain(said)
    expect(ofCluster).toContain(`until second-${world.address(4)} runs the Talos that it is to`)
    expect(versionDeeds(world, before)).toEqual([
      ...['talos 1', 'talos 4', 'kubelet 2', 'kubelet 3'],
    ])
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('has its kubelets before Talos is upgraded, when that comes in the middle of it', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    await world.objects.patch(...FIRST, { spec: { kubeVersion: 'v1.33.7' } })
    await world.until('the first kubelet', () => versionDeeds(world, before).length > 0)
    await setTalos(world, 'v1.13.2', 'second')
    // In its first pass it may not know yet what its control plane is at.
    await world.until('a machine to say why it waits', async () => {
      const waiting = [Machine, `second-${world.address(4)}`] as const
      const ready = await conditionOf(world, waiting, 'Ready')
      return /waits until those of its cluster that get another Kubernetes/.test(
        ready?.message ?? '',
      )
    })
    await untilAsWanted(world, CONTROL_PLANE, FIRST, SECOND)

    expect(versionDeeds(world, before)).toEqual(['kubelet 2', 'kubelet 3', 'talos 1', 'talos 4'])
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('and another pool whose Talos is raised at once are changed one after the other', {
    timeout: LONG,
  }, async () => {
    await Promise.all([
      world.objects.patch(...FIRST, { spec: { kubeVersion: 'v1.33.8' } }),
      setTalos(world, 'v1.13.3', 'second'),
    ])
    await untilAsWanted(world, CONTROL_PLANE, FIRST, SECOND)

    expect(await kubeletsOf(world)).toEqual(['v1.33.8', 'v1.33.8', NEW, NEW])
    expect(await talosOf(world)).toEqual(['v1.13.0', 'v1.13.0', 'v1.13.3', 'v1.13.3'])
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('together with its Talos gets that first, on all of its machines', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const spec = { kubeVersion: 'v1.33.9', version: 'v1.13.3' }
    await world.objects.patch(...FIRST, { spec })
    await untilAsWanted(world, CONTROL_PLANE, FIRST, SECOND)

    expect(versionDeeds(world, before)).toEqual(['talos 2', 'talos 3', 'kubelet 2', 'kubelet 3'])
    expect(await kubeletsOf(world)).toEqual(['v1.33.9', 'v1.33.9', NEW, NEW])
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('and is paused keeps nobody from another Talos', { timeout: LONG }, async () => {
    const before = world.history.length
    const paused = (is: boolean) => ({ spec: { rolloutStrategy: { paused: is } } })
    await world.objects.patch(...FIRST, paused(true))
    await world.objects.patch(...FIRST, { spec: { kubeVersion: NEW } })
    await untilSays(world, FIRST, { type: 'Ready', reason: 'Paused' })
    await setTalos(world, 'v1.13.4', 'second')
    await world.until('the others to have it', async () => {
      const ready = await conditionOf(world, SECOND, 'Ready')
      return (await talosOf(world))[3] === 'v1.13.4' && ready?.status === 'True'
    })
    expect(versionDeeds(world, before)).toEqual(['talos 1', 'talos 4'])

    await world.objects.patch(...FIRST, paused(false))
    await untilAsWanted(world, CONTROL_PLANE, FIRST, SECOND)
    expect(versionDeeds(world, before)).toEqual(['talos 1', 'talos 4', 'kubelet 2', 'kubelet 3'])
    expect(await kubeletsOf(world)).toEqual([NEW, NEW, NEW, NEW])
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('also if it was off when its cluster was upgraded', { timeout: LONG }, async () => {
    const next = 'v1.34.2'
    const back = world.fault('unreachable', 4)
    await untilSays(world, [Machine, `second-${world.address(4)}`], {
      ...{ type: 'Reachable', reason: 'Unreachable' },
    })
    await world.objects.patch(...CONTROL_PLANE, { spec: { kubeVersion: next } })
    for (const [kind, name] of [FIRST, SECOND])
      await world.objects.patch(kind, name, { spec: { kubeVersion: next } })
    await world.until('the others to have it', async () => {
      const found = await world.objects.find(...CONTROL_PLANE)
      return found?.metadata.annotations?.[KUBE_UPGRADE]?.startsWith(`${next} done`) === true
    })
    await setTalos(world, 'v1.13.5', 'first')
    await world.until('another pool to be upgraded', () => isInstalling(world, 2))
    back()
    await untilAsWanted(world, CONTROL_PLANE, FIRST, SECOND)

    expect(await kubeletsOf(world)).toEqual([next, next, next, next])
    expect(await talosOf(world)).toEqual(['v1.13.5', 'v1.13.5', 'v1.13.5', 'v1.13.4'])
    expect(await brokenInvariants(world)).toEqual([])
  })
})
