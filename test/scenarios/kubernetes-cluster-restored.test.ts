import { afterEach, beforeEach, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind, KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { isShapedReady, machineNames, SHAPED, shaped } from './shaped-cluster.ts'
import { untilTold } from './told.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const CLUSTER = [KubernetesCluster, SHAPED] as const
// Owners before what they own.
const KINDS = [KubernetesCluster, ProvidedMachine, ControlPlane, Worker, Machine] as const
const PLACES = ['one-cp-0', 'one-cp-1', 'one-cp-2', 'one-pool-0', 'one-pool-1']

let world: World
beforeEach(async () => {
  world = await aWorld({ subnet: '127.80.147', machines: 5, versions: QUICK })
  await world.objects.apply(withoutProvider(shaped(world, { controlPlanes: 3, workers: 2 })))
  await world.until('its Machines', async () => (await machineNames(world)).length === 5)
  await provide()
  await world.until('it to be Ready', () => isShapedReady(world, 5))
  await world.pass(2)
}, LONG)
afterEach(() => world[Symbol.asyncDispose](), LONG)

/** Nobody makes machines here: a provider may tell those of a backup from new ones, and may not. */
const withoutProvider = ({ spec, ...cluster }: ReturnType<typeof shaped>) => ({
  ...cluster,
  spec: { ...spec, controlPlane: { replicas: 3 }, workers: [{ name: 'pool', replicas: 2 }] },
})

async function provide(): Promise<void> {
  for (const [at, name] of PLACES.entries()) {
    await world.objects.patchStatus(ProvidedMachine, name, {
      ...{ phase: 'Running', ipAddresses: [world.address(at + 1)] },
    })
  }
}

interface Saved {
  kind: ApiKind
  all: KubeObject[]
}

/** Takes all objects away, as where a management cluster is lost. The answer is a backup of them. */
async function lose(): Promise<Saved[]> {
  await world.stopOperator()
  const saved: Saved[] = []
  for (const kind of KINDS) saved.push({ kind, all: await world.objects.list<ApiKind>(kind) })
  for (const { kind, all } of saved.toReversed()) {
    for (const { metadata } of all) await world.objects.vanish(kind, metadata.name)
  }
  return saved
}

/** Puts a backup back as tools do that mend owners: each object is another one, and belongs to those of the same names. */
async function putBack(saved: readonly Saved[]): Promise<void> {
  const uids = new Map<string, string>()
  for (const { kind, all } of saved) {
    for (const { metadata, ...rest } of all) {
      const { spec, status = {} } = Object(rest)
      const { uid = '', resourceVersion: _, ownerReferences = [], ...kept } = metadata
      const owners = ownerReferences.map((owner) => ({ ...owner, uid: uids.get(owner.uid) }))
      await world.objects.create(kind, { metadata: { ...kept, ownerReferences: owners }, spec })
      await world.objects.patchStatus(kind, metadata.name, status)
      const made: KubeObject | undefined = await world.objects.find<ApiKind>(kind, metadata.name)
      uids.set(uid, made?.metadata.uid ?? '')
    }
  }
}

const running = () => world.fleet.machines.filter(({ isReady }) => isReady).length

const uidsListed = async () => {
  const parts = [...(await world.objects.list(ControlPlane)), ...(await world.objects.list(Worker))]
  return parts.flatMap(({ spec }) =>
    (spec?.metalSpec?.machines ?? []).map(({ machineRef }) => machineRef?.uid),
  )
}

test('a cluster that is put back from a backup goes on with the machines that it had, and resets none', {
  timeout: LONG,
}, async () => {
  const before = await uidsListed()
  await putBack(await lose())
  expect(await uidsListed()).toEqual(before)
  world.startOperator()
  await world.pass(10)
  await world.until('it to be Ready', () => isShapedReady(world, 5))

  expect({ running: running(), resets: resetsIn(world) }).toEqual({ running: 5, resets: 0 })
  expect(bootstrapsIn(world)).toBe(1)
  const machines = await world.objects.list(ProvidedMachine)
  expect((await uidsListed()).sort()).toEqual(machines.map(({ metadata }) => metadata.uid).sort())
  expect(await brokenInvariants(world)).toEqual([])

  // What is deleted by hand from then on is made anew as ever.
  world.fleet.remove(world.address(5))
  await world.objects.remove(ProvidedMachine, 'one-pool-1')
  await world.until('the other to be alone', async () => (await uidsListed()).length === 4)
  expect(await brokenInvariants(world)).toEqual([])
})

test('one whose Machines were not in the backup says so, and resets neither control planes nor workers', {
  timeout: LONG,
}, async () => {
  const saved = await lose()
  await putBack(saved.filter(({ kind }) => kind !== ProvidedMachine))
  world.startOperator()
  await untilTold(world, CLUSTER, 'ControlPlaneLost')
  await world.pass(10)

  expect({ running: running(), resets: resetsIn(world) }).toEqual({ running: 5, resets: 0 })
  expect(await machineNames(world)).toEqual(PLACES)
  expect((await conditionOf(world, CLUSTER, 'Ready'))?.message).toContain('one-cp-0')
  expect(await brokenInvariants(world)).toEqual([])
})
