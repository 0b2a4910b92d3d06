import { afterAll, beforeAll, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { wordsFor } from './boundary.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { unclearLines } from './lines-of-passes.ts'
import { QUICK } from './manifests.ts'
import { conditionOf, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const NAME = 'one'

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.61', machines: 6, versions: QUICK })
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

interface Shape {
  controlPlanes: number
  workers: number
  talos?: string
  kubernetes?: string
}

const shaped = ({ controlPlanes, workers, ...versions }: Shape) => ({
  apiVersion: apiVersionOf(KubernetesCluster),
  kind: KubernetesCluster.kind,
  metadata: { name: NAME },
  spec: {
    kubernetesVersion: versions.kubernetes ?? QUICK.kubernetes,
    talosVersion: versions.talos ?? QUICK.talos,
    clusterEndpoint: `https://${world.address(1)}:6443`,
    controlPlane: { replicas: controlPlanes },
    workers: [{ name: 'pool', replicas: workers }],
    talosConfig: { machine: { certSANs: ['talos.example.com'] } },
  },
})

/** What a provider would do: the machine of a number is the one that was asked for. */
const provide = (name: string, number: number) =>
  world.objects.patchStatus(ProvidedMachine, name, {
    ...{ phase: 'Running', publicIPAddresses: [world.address(number)] },
  })

const names = async () =>
  (await world.objects.list(ProvidedMachine)).map(({ metadata }) => metadata.name)

const status = async () => (await world.objects.find(KubernetesCluster, NAME))?.status

const untilReady = () =>
  world.until('the cluster to be Ready', async () => {
    const ready = await conditionOf(world, [KubernetesCluster, NAME], 'Ready')
    return ready?.status === 'True'
  })

// One life of one cluster: each test begins where the one before it ended.

test('a cluster comes up when a provider has given its Machines addresses', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped({ controlPlanes: 3, workers: 1 }))
  await world.until('four Machines', async () => (await names()).length === 4)
  await world.pass(2)
  const before = await world.objects.list(ControlPlane)
  await Promise.all([
    ...[0, 1, 2].map((index) => provide(`one-cp-${index}`, index + 1)),
    provide('one-pool-0', 4),
  ])
  await untilReady()

  expect(before).toEqual([])
  expect(await status()).toMatchObject({
    ...{ phase: 'Running', controlPlaneReady: true, workersReady: 1, machineCount: 4 },
  })
  expect(world.fleet.machines.map(({ type, stage }) => `${type} ${stage}`).slice(0, 4)).toEqual([
    ...Array(3).fill('controlplane running'),
    'worker running',
  ])
  expect(bootstrapsIn(world)).toBe(1)
  expect(await brokenInvariants(world)).toEqual([])
})

/** How often the API was asked for an object or a list, by the operator's own count. */
async function readsIn(): Promise<number> {
  const counts = (await world.metrics()).matchAll(
    /^talos_operator_api_requests_total\{verb="(?:get|list)".*\} (\d+)$/gm,
  )
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

test('when it is as it should be, nothing is written and hardly anything is asked for ten minutes', {
  timeout: LONG,
}, async () => {
  await world.pass(2)
  const [settled, asked] = [world.boundary.history.length, await readsIn()]

  await world.pass(10)

  expect(writesSince(world, settled).map(wordsFor)).toEqual([])
  // The keys, for looks at its machines. Where Machines are comes to it by itself.
  expect((await readsIn()) - asked).toBeLessThanOrEqual(3)
})

test('its machines and nodes are called as its Machines, and its own parts belong to it', {
  timeout: LONG,
}, async () => {
  const machines = await world.objects.list(Machine)
  const [controlPlane] = await world.objects.list(ControlPlane)
  const [pool] = await world.objects.list(Worker)

  expect(machines.map(({ status: seen }) => seen?.hostname).sort()).toEqual(await names())
  expect(controlPlane?.metadata).toMatchObject({ name: 'one', ownerReferences: [{ name: 'one' }] })
  expect(controlPlane?.spec?.secretsRef?.name).toBe('one-talos-secrets')
  expect(pool?.metadata).toMatchObject({ name: 'one-pool', ownerReferences: [{ name: 'one' }] })
  expect(controlPlane?.spec?.metalSpec?.machines?.[0]?.machineRef).toMatchObject({
    ...{ kind: 'Machine', name: 'one-cp-0', fieldPath: '.status.publicIPAddresses[0]' },
  })
})

test('nothing is done while its mode is disable, not to its machines either', {
  timeout: LONG,
}, async () => {
  const mode = 'talos.alperen.cloud/reconcile-mode'
  await world.objects.annotate(KubernetesCluster, NAME, { [mode]: 'disable' })
  await world.objects.annotate(ControlPlane, NAME, { probe: 'edited' })
  await world.pass(1)
  const before = world.boundary.history.length
  await world.objects.patch(ControlPlane, NAME, { spec: { version: 'v1.6.8' } })
  await world.pass(10)

  expect(writesSince(world, before).map(wordsFor)).toEqual([])
  await world.objects.patch(KubernetesCluster, NAME, {
    metadata: { annotations: { [mode]: null } },
  })
  await world.until('the edit to be put back', async () => {
    const [controlPlane] = await world.objects.list(ControlPlane)
    return controlPlane?.spec?.version === QUICK.talos
  })
  await untilReady()
})

test('more workers join, and fewer leave: the Machine goes when the engine has let go of it', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped({ controlPlanes: 3, workers: 3 }))
  await world.until('six Machines', async () => (await names()).length === 6)
  await Promise.all([provide('one-pool-1', 5), provide('one-pool-2', 6)])
  await untilReady()
  expect(await status()).toMatchObject({ workersReady: 3, machineCount: 6 })

  await world.objects.apply(shaped({ controlPlanes: 3, workers: 1 }))
  await world.until('four Machines', async () => (await names()).length === 4)
  await untilReady()

  expect(await names()).toEqual(['one-cp-0', 'one-cp-1', 'one-cp-2', 'one-pool-0'])
  expect(resetsIn(world)).toBe(2)
  expect((await world.objects.list(Machine)).map(({ metadata }) => metadata.name)).toEqual([
    ...['one-one-cp-0', 'one-one-cp-1', 'one-one-cp-2', 'one-pool-one-pool-0'],
  ])
  expect(await brokenInvariants(world)).toEqual([])
})

test('a Machine that somebody deletes is made anew, and the new machine takes its place', {
  timeout: LONG,
}, async () => {
  const uidOf = async () =>
    (await world.objects.find(ProvidedMachine, 'one-cp-2'))?.metadata.uid ?? ''
  const before = await uidOf()
  world.fleet.remove(world.address(3))
  await world.objects.remove(ProvidedMachine, 'one-cp-2')
  await world.until('it to be made anew', async () => ![before, ''].includes(await uidOf()))
  await provide('one-cp-2', 5)
  await world.until('the new one to run', () => {
    return world.fleet.machine(world.address(5))?.type === 'controlplane'
  })
  await untilReady()

  expect(await status()).toMatchObject({ controlPlaneReady: true, machineCount: 4 })
  expect(bootstrapsIn(world)).toBe(1)
  expect(await brokenInvariants(world)).toEqual([])
})

test('another version of Talos is rolled out over its machines', { timeout: LONG }, async () => {
  await world.objects.apply(shaped({ controlPlanes: 3, workers: 1, talos: 'v1.7.6' }))
  await world.until('all machines to run it', () => {
    const running = world.fleet.machines.filter(({ stage }) => stage === 'running')
    return running.length === 4 && running.every(({ talosVersion }) => talosVersion === 'v1.7.6')
  })
  await untilReady()

  expect(await brokenInvariants(world)).toEqual([])
})

test('control planes go one at a time, and those that stay keep their majority', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped({ controlPlanes: 1, workers: 1, talos: 'v1.7.6' }))
  await world.until('two Machines', async () => (await names()).length === 2)
  await untilReady()

  expect(await names()).toEqual(['one-cp-0', 'one-pool-0'])
  expect(await status()).toMatchObject({ phase: 'Running', machineCount: 2 })
  expect(await brokenInvariants(world)).toEqual([])
})

test('a cluster that is deleted takes its parts along first, then its Machines, and leaves its secrets', {
  timeout: LONG,
}, async () => {
  const before = world.boundary.history.length
  await world.objects.remove(KubernetesCluster, NAME)
  await world.until('it to be gone', async () => (await status()) === undefined)

  const deleted = world.boundary.history.slice(before).map(wordsFor)
  const at = (what: string) => deleted.findIndex((one) => one.includes(what))
  expect(await names()).toEqual([])
  expect(at('DELETE talosworkers/one-pool')).toBeGreaterThanOrEqual(0)
  expect(at('DELETE taloscontrolplanes/one')).toBeGreaterThan(at('DELETE talosworkers/one-pool'))
  expect(at('DELETE machines/one-cp-0')).toBeGreaterThan(at('DELETE taloscontrolplanes/one'))
  expect((await world.objects.list(Secret)).map(({ metadata }) => metadata.name)).toContain(
    'one-talos-secrets',
  )
  expect(await brokenInvariants(world)).toEqual([])
})

test('R47: each line of a pass says what it has to, of whichever controller it is', () => {
  expect(unclearLines(world, /one-(cp|pool)-\d/)).toEqual([])
})
