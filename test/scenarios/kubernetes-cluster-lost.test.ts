import { afterEach, beforeEach, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { isShapedReady, machineNames, SHAPED, shaped } from './shaped-cluster.ts'
import { untilTold } from './told.ts'
import { conditionOf, untilGone } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const CLUSTER = [KubernetesCluster, SHAPED] as const
const FIRST = [ProvidedMachine, 'one-cp-0'] as const

let world: World
beforeEach(async () => {
  world = await aWorld({ subnet: '127.80.69', machines: 0, versions: QUICK })
  await world.provider([1, 2, 3, 4, 5])
}, LONG)
afterEach(() => world[Symbol.asyncDispose](), LONG)

const untilReady = (machines: number) =>
  world.until('it to be Ready', () => isShapedReady(world, machines))

const uidOfFirst = async () => (await world.objects.find(...FIRST))?.metadata.uid ?? ''

async function untilAnotherFirst(before: string): Promise<void> {
  await world.until('it to be made anew', async () => ![before, ''].includes(await uidOfFirst()))
}

test('a cluster whose only control plane is deleted says so and what can be done, and begins nothing anew', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped(world, { controlPlanes: 1, workers: 1 }))
  await untilReady(2)
  const before = await uidOfFirst()
  await world.objects.remove(...FIRST)
  await untilTold(world, CLUSTER, 'ControlPlaneLost')
  await untilAnotherFirst(before)
  await world.pass(10)

  const ready = await conditionOf(world, CLUSTER, 'Ready')
  expect(ready).toMatchObject({ status: 'False', reason: 'MachinesNotReady' })
  expect(ready?.message).toMatch(
    /^somebody deleted one-cp-0, and with that the last member of etcd/,
  )
  expect(ready?.message).toContain(`${FORCE_DELETION}=true`)
  expect(bootstrapsIn(world)).toBe(1)
  expect(world.fleet.machine(world.address(1))?.stage).toBe('maintenance')
  expect(await brokenInvariants(world)).toEqual([])

  // As the message says.
  await world.objects.annotate(...CLUSTER, { [FORCE_DELETION]: 'true' })
  await world.objects.remove(...CLUSTER)
  await untilGone(world)
  expect(await machineNames(world)).toEqual([])
})

test('a TalosControlPlane that somebody deletes waits for its workers; by force it is made anew, and begins nothing', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped(world, { controlPlanes: 1, workers: 1 }))
  await untilReady(2)
  const uidOf = async () => (await world.objects.find(ControlPlane, SHAPED))?.metadata.uid ?? ''
  const before = await uidOf()
  await world.objects.remove(ControlPlane, SHAPED)
  await world.pass(10)
  expect((await conditionOf(world, CLUSTER, 'Ready'))?.message).toContain('WorkersRemain')
  await world.objects.annotate(ControlPlane, SHAPED, { [FORCE_DELETION]: 'true' })
  await world.until('it to be made anew', async () => ![before, ''].includes(await uidOf()))
  await world.pass(10)

  const ready = await conditionOf(world, CLUSTER, 'Ready')
  expect(ready).toMatchObject({ status: 'False', reason: 'MachinesNotReady' })
  expect(ready?.message).toContain('ClusterRunsAlready')
  expect(bootstrapsIn(world)).toBe(1)
  expect(resetsIn(world)).toBe(0)
  expect(await brokenInvariants(world)).toEqual([])
})

test('a TalosControlPlane that is made anew while its machines are off begins nothing on one that was wiped', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped(world, { controlPlanes: 3, workers: 0 }))
  await untilReady(3)
  const uidOf = async () => (await world.objects.find(ControlPlane, SHAPED))?.metadata.uid ?? ''
  const before = await uidOf()
  const back = [1, 2, 3].map((number) => world.fault('unreachable', number))
  await world.pass(5)
  await world.objects.annotate(ControlPlane, SHAPED, { [FORCE_DELETION]: 'true' })
  await world.objects.remove(ControlPlane, SHAPED)
  await world.until('it to be made anew', async () => ![before, ''].includes(await uidOf()))
  await world.pass(10)
  // Somebody puts an empty machine in the place of one of them.
  world.fleet.replace(world.address(3))
  back[2]?.()
  const stageOfNew = () => world.fleet.machine(world.address(3))?.stage
  await world.until('it to be configured', () => stageOfNew() === 'booting')
  await world.pass(30)

  expect(bootstrapsIn(world)).toBe(1)
  const ready = await conditionOf(world, [ControlPlane, SHAPED], 'Ready')
  expect(ready?.message).toMatch(/^the keys in Secret one-talos-secrets were not made for this/)
  expect(ready?.message).toContain(world.address(1))
  expect(await brokenInvariants(world)).toEqual([])
})

test('the one control plane that is to stay is deleted while others are on their way out: a new one takes its place first', {
  timeout: LONG,
}, async () => {
  const at = world.address(200)
  await world.objects.apply(shaped(world, { controlPlanes: 3, workers: 0, at }))
  await world.until('its control plane', async () => {
    return (await world.objects.find(ControlPlane, SHAPED)) !== undefined
  })
  // The KubernetesCluster has no word for an address that whoever is up answers to.
  const interfaces = [{ interface: 'eth0', dhcp: true, vip: { ip: at } }]
  const machineSpec = { configPatches: [{ machine: { network: { interfaces } } }] }
  await world.objects.patch(ControlPlane, SHAPED, { spec: { metalSpec: { machineSpec } } })
  await untilReady(3)
  const before = await uidOfFirst()
  await world.stopOperator()
  await world.objects.remove(...FIRST)
  await world.objects.apply(shaped(world, { controlPlanes: 1, workers: 0, at }))
  world.startOperator()
  await untilAnotherFirst(before)
  await untilReady(1)

  expect(await machineNames(world)).toEqual(['one-cp-0'])
  expect(bootstrapsIn(world)).toBe(1)
  expect(await brokenInvariants(world)).toEqual([])
})
