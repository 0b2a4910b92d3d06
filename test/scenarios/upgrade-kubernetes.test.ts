import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { KUBE_UPGRADE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ForeignKind, KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, deedsSince, onMachines, votersOf } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { objectsIn } from './cluster-content.ts'
import { brokenInvariants } from './invariants.ts'
import { workerIn } from './parts.ts'
import { untilSays } from './verdicts.ts'
import { workloadsOf } from './workloads.ts'
import { aWorld, type World } from './world.ts'

const LONG = 300_000
const POOL = [Worker, 'pool'] as const
const KUBERNETES = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }

const DaemonSet: ForeignKind<KubeObject> = {
  ...{ group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets' },
  scope: 'Namespaced',
}

// Each component is watched on each machine. For how long is another test's matter, and most of what this one would do.
const rolloutStrategy = { minReadySeconds: 2 }

/** Three machines, and a pool of one. */
async function threeAndOne(subnet: string): Promise<World> {
  const world = await aWorld({ subnet, machines: 4, versions: KUBERNETES })
  await world.bringSecrets('one')
  const controlPlane = onMachines(world, [1, 2, 3])
  const pool = workerIn(world, { name: 'pool', joins: 'one', machines: [4] })
  await world.objects.apply({ ...controlPlane, spec: { ...controlPlane.spec, rolloutStrategy } })
  await world.objects.apply({ ...pool, spec: { ...pool.spec, rolloutStrategy } })
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  return world
}

const setKubernetes = async ({ objects }: World, kubeVersion: string) => {
  await objects.patch(ControlPlane, 'one', { spec: { kubeVersion } })
  await objects.patch(Worker, 'pool', { spec: { kubeVersion } })
}

const untilUpgraded = async (world: World, version: string) => {
  await world.until(`all of it to be ${version}`, async () => {
    const found = await world.objects.find(ControlPlane, 'one')
    return found?.metadata.annotations?.[KUBE_UPGRADE]?.startsWith(`${version} done`) === true
  })
  await untilAsWanted(world, CONTROL_PLANE, POOL)
}

/** The versions that each machine has, the control plane's first. */
const versionsOn = async ({ objects }: World) =>
  (await objects.list(Machine)).map(({ status }) =>
    [...new Set(Object.values(status?.kubernetes ?? {}))].join(),
  )

const statusOf = async ({ objects }: World) => (await objects.find(ControlPlane, 'one'))?.status

/** The numbers of the machines that were given a configuration, in this order. */
const changedSince = (world: World, since: number) =>
  deedsSince(world, since)
    .filter((deed) => /^configuration\.apply .* done$/.test(deed))
    .map((deed) => Number(deed.split(' ')[1]?.split('.').at(-1)))

/** Whether any API server of the one cluster runs. */
const isServing = ({ fleet }: World): boolean =>
  fleet.clusters.some(({ halves }) => halves.some(({ kubernetes }) => kubernetes.isUp))

const proxiesIn = async ({ fleet }: World) =>
  (await objectsIn(fleet, DaemonSet))
    .map((one) => Object(one).spec.template.spec.containers[0].image)
    .filter((image) => image.includes('kube-proxy'))

describe('Kubernetes is upgraded', () => {
  let world: World
  beforeAll(async () => {
    world = await threeAndOne('127.80.90')
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test('component by component, each machine by machine, workers and kube-proxy last', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    await setKubernetes(world, 'v1.35.0')
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'UpgradingKubernetes' })
    expect(await statusOf(world)).toMatchObject({
      ...{ state: 'UpgradingKubernetes', observedKubeVersion: 'v1.34.1' },
    })
    await untilUpgraded(world, 'v1.35.0')

    const aComponent = [1, 2, 3]
    expect(changedSince(world, before)).toEqual([...Array(5).fill(aComponent).flat(), 4])
    expect(await versionsOn(world)).toEqual(Array(4).fill('v1.35.0'))
    expect(await statusOf(world)).toMatchObject({ state: 'Ready', observedKubeVersion: 'v1.35.0' })
    expect(await proxiesIn(world)).toEqual(['registry.k8s.io/kube-proxy:v1.35.0'])
    expect(votersOf(world)).toBe(3)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('to a version that does not exist touches nothing, and is called off or mended', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const exists = world.fault('registry-refuses', 1, 'image=v1.35.77')
    await setKubernetes(world, 'v1.35.77')
    const said = await untilSays(world, CONTROL_PLANE, {
      ...{ type: 'KubernetesUpgradeFailed', reason: 'UpgradeFailed' },
    })
    await world.pass(10)

    expect(said).toMatch(/one-127\.80\.90\.1: .*kube-apiserver:v1\.35\.77/)
    expect((await statusOf(world))?.state).toBe('KubernetesUpgradeFailed')
    expect(changedSince(world, before)).toEqual([])
    await setKubernetes(world, 'v1.35.0')
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    expect(changedSince(world, before)).toEqual([])
    await setKubernetes(world, 'v1.35.77')
    await untilSays(world, [Machine, `one-${world.address(1)}`], {
      ...{ type: 'Ready', reason: 'ImagePullFailed' },
    })
    await setKubernetes(world, 'v1.35.1')
    await untilUpgraded(world, 'v1.35.1')
    exists()
    expect(await versionsOn(world)).toEqual(Array(4).fill('v1.35.1'))
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('as far as it came when it is stopped, and on from there', { timeout: LONG }, async () => {
    const before = world.history.length
    await setKubernetes(world, 'v1.35.2')
    await world.until('a scheduler to be changed', () => changedSince(world, before).length === 7)
    await setKubernetes(world, 'v1.35.1')
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    const stopped = (await world.objects.list(Machine)).map(({ status }) => status?.kubernetes)
    expect(stopped.slice(0, 3)).toEqual(
      Array(3).fill({
        ...{ apiServer: 'v1.35.2', controllerManager: 'v1.35.2', scheduler: 'v1.35.1' },
        ...{ proxy: 'v1.35.1', kubelet: 'v1.35.1' },
      }),
    )
    await world.pass(10)
    await setKubernetes(world, 'v1.35.2')
    await untilUpgraded(world, 'v1.35.2')
    expect(await versionsOn(world)).toEqual(Array(4).fill('v1.35.2'))
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('not while the rollout is paused, and on when it is not', { timeout: LONG }, async () => {
    const before = world.history.length
    await world.objects.patch(ControlPlane, 'one', { spec: { rolloutStrategy: { paused: true } } })
    await setKubernetes(world, 'v1.35.3')
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'Paused' })
    await world.pass(10)
    expect(changedSince(world, before)).toEqual([])

    await world.objects.patch(ControlPlane, 'one', { spec: { rolloutStrategy: { paused: false } } })
    await world.until('it to begin', () => changedSince(world, before).length === 2)
    await world.objects.patch(ControlPlane, 'one', { spec: { rolloutStrategy: { paused: true } } })
    await world.pass(10)
    const half = changedSince(world, before).length
    expect(half).toBeLessThan(4)

    await world.objects.patch(ControlPlane, 'one', { spec: { rolloutStrategy: { paused: false } } })
    await untilUpgraded(world, 'v1.35.3')
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('after Talos, when both are to be, and never both at once', { timeout: LONG }, async () => {
    const before = world.history.length
    const both = { spec: { version: 'v1.13.1', kubeVersion: 'v1.35.4' } }
    await world.objects.patch(ControlPlane, 'one', both)
    await world.objects.patch(Worker, 'pool', both)
    await untilUpgraded(world, 'v1.35.4')

    const deeds = deedsSince(world, before).map((deed) => deed.split(' ')[0])
    expect(deeds.lastIndexOf('reboot')).toBeLessThan(
      deeds.indexOf('images.pull', deeds.lastIndexOf('reboot')),
    )
    expect(changedSince(world, before).length).toBeGreaterThanOrEqual(16)
    expect(await versionsOn(world)).toEqual(Array(4).fill('v1.35.4'))
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('before Talos, when that is to be in the middle of it', { timeout: LONG }, async () => {
    const before = world.history.length
    await setKubernetes(world, 'v1.35.5')
    await world.until('it to begin', () => changedSince(world, before).length === 2)
    await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.13.2' } })
    await world.objects.patch(Worker, 'pool', { spec: { version: 'v1.13.2' } })
    await untilUpgraded(world, 'v1.35.5')

    const deeds = deedsSince(world, before).map((deed) => deed.split(' ')[0])
    const boots = deeds.flatMap((deed, at) => (deed === 'reboot' ? [at] : []))
    expect(boots).toHaveLength(4)
    const applies = deeds.flatMap((deed, at) => (deed === 'configuration.apply' ? [at] : []))
    expect(applies[15]).toBeLessThan(boots[0] ?? 0)
    expect(await brokenInvariants(world)).toEqual([])
  })
})

describe('Kubernetes is not upgraded', () => {
  let world: World
  beforeAll(async () => {
    world = await threeAndOne('127.80.91')
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test.each([
    ['past a minor version', 'v1.36.0', 'KubernetesPathUnsupported'],
    ['to an older one', 'v1.33.0', 'KubernetesPathUnsupported'],
  ])('%s', { timeout: LONG }, async (_what, version, reason) => {
    const before = world.history.length
    await world.objects.patch(ControlPlane, 'one', { spec: { kubeVersion: version } })
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason })
    await world.pass(5)

    expect(deedsSince(world, before)).toEqual([])
    await world.objects.patch(ControlPlane, 'one', { spec: { kubeVersion: 'v1.34.1' } })
    await untilAsWanted(world, CONTROL_PLANE, POOL)
  })

  test('while a patch uses what it removes, or says otherwise', { timeout: LONG }, async () => {
    const plain = onMachines(world, [1, 2, 3])
    const gates = { 'feature-gates': 'SizeMemoryBackedVolumes=true' }
    await world.objects.apply(withPatch(plain, { cluster: { apiServer: { extraArgs: gates } } }))
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    const before = world.history.length
    await world.objects.patch(ControlPlane, 'one', { spec: { kubeVersion: 'v1.35.0' } })
    const said = await untilSays(world, CONTROL_PLANE, {
      ...{ type: 'Ready', reason: 'KubernetesRemovesInUse' },
    })
    await world.pass(5)

    expect(said).toContain('SizeMemoryBackedVolumes')
    expect(deedsSince(world, before)).toEqual([])
    await world.objects.apply(plain)
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    const image = 'mine.example/kube-scheduler:v1.34.1'
    await world.objects.apply(withPatch(plain, { cluster: { scheduler: { image } } }))
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    await world.objects.patch(ControlPlane, 'one', { spec: { kubeVersion: 'v1.35.0' } })
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'KubernetesImagePinned' })
    await world.objects.apply(plain)
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('any further by a component that does not come up, until it does', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const heal = world.fault('static-pod-fails', 1, 'image=kube-scheduler:v1.35.0')
    await setKubernetes(world, 'v1.35.0')
    const said = await untilSays(world, CONTROL_PLANE, {
      ...{ type: 'KubernetesUpgradeFailed', reason: 'UpgradeFailed' },
    })
    await world.pass(15)

    expect(said).toContain('kube-scheduler:v1.35.0 is not ready: CrashLoopBackOff')
    expect(changedSince(world, before)).toEqual([1, 2, 3, 1, 2, 3, 1])
    heal()
    await untilUpgraded(world, 'v1.35.0')
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('any further, and that one machine goes back, when it is stopped then', {
    timeout: LONG,
  }, async () => {
    const heal = world.fault('static-pod-fails', 1, 'image=kube-apiserver:v1.35.1')
    await setKubernetes(world, 'v1.35.1')
    await untilSays(world, [Machine, `one-${world.address(1)}`], {
      ...{ type: 'Ready', reason: 'ComponentNotReady' },
    })
    await setKubernetes(world, 'v1.35.0')
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(await versionsOn(world)).toEqual(Array(4).fill('v1.35.0'))
    heal()
    expect(await brokenInvariants(world)).toEqual([])
  })
})

test('Kubernetes is not upgraded while the cluster has objects of an API that it removes', {
  timeout: LONG,
}, async () => {
  const versions = { talos: 'v1.9.0', kubernetes: 'v1.31.0' }
  await using world = await aWorld({ subnet: '127.80.92', machines: 1, versions })
  await world.bringSecrets('one')
  await world.objects.apply(onMachines(world, [1]))
  await untilAsWanted(world, CONTROL_PLANE)
  using cluster = await workloadsOf(world, 'one')
  await cluster.ofNewKind({
    ...{ group: 'resource.k8s.io', version: 'v1alpha3', plural: 'podschedulingcontexts' },
    kind: 'PodSchedulingContext',
  })
  const before = world.history.length
  await world.objects.patch(ControlPlane, 'one', { spec: { kubeVersion: 'v1.32.0' } })
  const said = await untilSays(world, CONTROL_PLANE, {
    ...{ type: 'Ready', reason: 'KubernetesRemovesInUse' },
  })

  expect(said).toContain('kubectl get podschedulingcontexts.v1alpha3.resource.k8s.io -A')
  expect(deedsSince(world, before)).toEqual([])
})

test('Kubernetes of a single machine is upgraded, whose API is away meanwhile', {
  timeout: LONG,
}, async () => {
  const versions = { talos: 'v1.12.4', kubernetes: 'v1.34.1' }
  await using world = await aWorld({ subnet: '127.80.93', machines: 2, versions })
  await world.bringSecrets('one')
  await world.objects.apply(onMachines(world, [1]))
  await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [2] }))
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  const before = world.history.length
  const exists = world.fault('registry-refuses', 1, 'image=v1.35.77')
  await setKubernetes(world, 'v1.35.77')
  await untilSays(world, CONTROL_PLANE, {
    ...{ type: 'KubernetesUpgradeFailed', reason: 'UpgradeFailed' },
  })
  expect(changedSince(world, before)).toEqual([])
  exists()
  await setKubernetes(world, 'v1.35.0')
  await untilUpgraded(world, 'v1.35.0')

  expect(changedSince(world, before)).toEqual([1, 1, 1, 1, 1, 2])
  expect(await versionsOn(world)).toEqual(['v1.35.0', 'v1.35.0'])
  expect(await brokenInvariants(world)).toEqual([])
})

test('Kubernetes of a single machine goes back when it is called off, though its new API server never answers', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.151', machines: 2, versions: KUBERNETES })
  await world.bringSecrets('one')
  await world.objects.apply(onMachines(world, [1]))
  await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [2] }))
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  const before = world.history.length
  world.fault('static-pod-fails', 1, 'image=kube-apiserver:v1.35.0')
  await setKubernetes(world, 'v1.35.0')
  const said = await untilSays(world, CONTROL_PLANE, {
    ...{ type: 'KubernetesUpgradeFailed', reason: 'UpgradeFailed' },
  })
  await world.pass(15)
  expect(isServing(world)).toBe(false)
  await setKubernetes(world, 'v1.34.1')
  await untilAsWanted(world, CONTROL_PLANE, POOL)

  expect(said).toContain('or when the spec is changed')
  expect(changedSince(world, before)).toEqual([1, 1])
  expect(await versionsOn(world)).toEqual(['v1.34.1', 'v1.34.1'])
  expect(isServing(world)).toBe(true)
  expect(await brokenInvariants(world)).toEqual([])
})

test('Kubernetes and the Talos that it needs are raised in one edit', {
  timeout: LONG,
}, async () => {
  const versions = { talos: 'v1.12.4', kubernetes: 'v1.35.0' }
  await using world = await aWorld({ subnet: '127.80.95', machines: 2, versions })
  await world.bringSecrets('one')
  await world.objects.apply(onMachines(world, [1]))
  await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [2] }))
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  const both = { spec: { version: 'v1.13.0', kubeVersion: 'v1.36.0' } }
  await world.objects.patch(ControlPlane, 'one', both)
  await world.objects.patch(Worker, 'pool', both)
  await untilUpgraded(world, 'v1.36.0')

  const talos = (await world.objects.list(Machine)).map(({ status }) => status?.observedVersion)
  expect(talos).toEqual(['v1.13.0', 'v1.13.0'])
  expect(await versionsOn(world)).toEqual(['v1.36.0', 'v1.36.0'])
  expect(await brokenInvariants(world)).toEqual([])
})
