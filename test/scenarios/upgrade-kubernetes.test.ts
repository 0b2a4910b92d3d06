import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, onMachines, votersOf } from './a-control-plane.ts'
import { untilAsWanted } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { workerIn } from './parts.ts'
import { untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 300_000
const POOL = [Worker, 'pool'] as const

const setKubernetes = async ({ objects }: World, kubeVersion: string) => {
  await objects.patch(ControlPlane, 'one', { spec: { kubeVersion } })
  await objects.patch(Worker, 'pool', { spec: { kubeVersion } })
}

const componentsIn = async ({ objects }: World) =>
  (await objects.list(Machine)).map(({ status }) => Object.values(status?.kubernetes ?? {}))

const observedIn = async ({ objects }: World) =>
  (await objects.find(ControlPlane, 'one'))?.status?.observedKubeVersion

describe('Kubernetes is upgraded', () => {
  let world: World
  beforeAll(async () => {
    const versions = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }
    world = await aWorld({ subnet: '127.80.90', machines: 4, versions })
    await world.bringSecrets('one')
    await world.objects.apply(onMachines(world, [1, 2, 3]))
    await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [4] }))
    await untilAsWanted(world, CONTROL_PLANE, POOL)
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test('component by component, machine by machine, and the workers last', {
    timeout: LONG,
  }, async () => {
    await setKubernetes(world, 'v1.35.0')
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'UpgradingKubernetes' })
    await untilSays(world, CONTROL_PLANE, {
      type: 'KubernetesUpgradeSucceeded',
      reason: 'UpgradeSucceeded',
    })
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    const five = Array(5).fill('v1.35.0')
    expect(await componentsIn(world)).toEqual([five, five, five, ['v1.35.0']])
    expect(await observedIn(world)).toBe('v1.35.0')
    expect(votersOf(world)).toBe(3)
    expect(await brokenInvariants(world)).toEqual([])
  })
})
