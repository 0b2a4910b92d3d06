import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { ConfigMap, Secret } from '#api/foreign.ts'
import { ADOPTED, MACHINE_UUID, RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { deedsSince } from './a-control-plane.ts'
import { aForeignCluster, CONFIG_REFS, type ForeignCluster } from './foreign-cluster.ts'
import { givenConfig } from './given-config.ts'
import { bootstrapsIn, brokenInvariants, GIVEN } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { untilGone, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const CONTROL_PLANE = [ControlPlane, 'one'] as const
const POOL = [Worker, 'pool'] as const
const IMPORT = { [RECONCILE_MODE]: 'import' }
const DIFFERS = { type: 'Ready', reason: 'ImportDiffers' }

let world: World
let foreign: ForeignCluster
// Three control planes and a worker of somebody else, and a machine that waits.
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.91', machines: 5, versions: QUICK })
  foreign = await aForeignCluster(world, { controlPlanes: [1, 2, 3], workers: [4] })
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

const controlPlane = (machines: number[], over: object = {}) => {
  const { metadata, spec, ...rest } = controlPlaneIn(world, 'one', machines)
  return {
    ...rest,
    metadata: { ...metadata, annotations: IMPORT },
    spec: { ...spec, configRef: CONFIG_REFS.controlPlane, ...over },
  }
}
const pool = (machines: number[], over: object = {}) => {
  const { metadata, spec, ...rest } = workerIn(world, { name: 'pool', joins: 'one', machines })
  return {
    ...rest,
    metadata: { ...metadata, annotations: IMPORT },
    spec: { ...spec, configRef: CONFIG_REFS.worker, ...over },
  }
}

const claimed = async (): Promise<string[]> =>
  (await world.objects.list(Machine))
    .filter(({ metadata }) => metadata.annotations?.[MACHINE_UUID] !== undefined)
    .map(({ metadata }) => metadata.name)

/** That nothing was done to any machine, and nothing is ours. */
async function expectNothingTaken(): Promise<void> {
  await world.pass(2)
  expect(await claimed()).toEqual([])
  expect(await world.objects.list(Secret)).toEqual([])
  const found = await world.objects.find(...CONTROL_PLANE)
  expect(found?.metadata.annotations).not.toHaveProperty([ADOPTED])
  expect(found?.status).not.toHaveProperty('imported')
  expect(world.history.filter(({ to }) => to === 'machine')).toEqual([])
  expect(bootstrapsIn(world)).toBe(1)
}

describe('a control plane that is not as it is described is not taken over', () => {
  beforeEach(async () => {
    if (await world.objects.find(...CONTROL_PLANE)) await world.objects.remove(...CONTROL_PLANE)
    await untilGone(world)
  }, LONG)

  test.each([
    ['of another version', [1, 2, 3], { version: 'v1.6.6' }, 'it runs Talos v1.6.7, and the spec'],
    ['without a member', [1, 2], {}, 'which is none of the machines in the list'],
    ['with a machine that waits', [1, 2, 3, 5], {}, '.5: it waits for a configuration'],
    ['with a worker', [1, 2, 3, 4], {}, '.4: it is a worker, and is listed as a control plane'],
    ['of another Kubernetes', [1, 2, 3], { kubeVersion: 'v1.29.6' }, 'Kubernetes v1.29.7 runs'],
  ])('%s', { timeout: LONG }, async (...[, machines, over, expected]) => {
    await world.objects.apply(controlPlane(machines, over))

    const said = await untilSays(world, CONTROL_PLANE, DIFFERS)

    expect(said).toMatch(/^nothing was taken over: .*Correct the spec$/)
    expect(said).toContain(expected)
    await expectNothingTaken()
  })

  test('with the keys of another cluster', { timeout: LONG }, async () => {
    await world.objects.apply(controlPlane([1, 2, 3], { configRef: undefined }))
    const needed = await untilSays(world, CONTROL_PLANE, {
      ...{ type: 'Ready', reason: 'ConfigRefMissing' },
    })
    expect(needed).toContain('its keys are needed')
    const text = await givenConfig(world, 'one')
    await world.objects.create(ConfigMap, {
      metadata: { name: 'other', labels: { [GIVEN]: 'true' } },
      data: { 'controlplane.yaml': text },
    })
    const configRef = { name: 'other', key: 'controlplane.yaml' }
    await world.objects.apply(controlPlane([1, 2, 3], { configRef }))

    const said = await untilSays(world, CONTROL_PLANE, DIFFERS)

    expect(said).toContain('it does not know the keys of this cluster')
    expect(said).not.toContain('talosctl reset')
    await expectNothingTaken()
  })

  test('while a machine is off, and is when that is back', { timeout: LONG }, async () => {
    const back = world.fault('unreachable', 3)
    await world.objects.apply(controlPlane([1, 2, 3]))
    await world.until('all others to be seen', async () => {
      const { message } = Object(await conditionOf(...CONTROL_PLANE))
      return message?.includes(`What is waited for: ${world.address(3)}`)
    })
    await expectNothingTaken()

    back()
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'AsWanted' })
    expect(await claimed()).toHaveLength(3)
    expect(deedsSince(world, 0)).toEqual([])
  })
})

const conditionOf = async (kind: typeof ControlPlane, name: string) =>
  (await world.objects.find(kind, name))?.status?.conditions?.find(({ type }) => type === 'Ready')

describe('a pool', () => {
  test.each([
    ['with a machine that waits', [4, 5], {}, '.5: it waits for a configuration'],
    ['of another version', [4], { version: 'v1.6.6' }, 'it runs Talos v1.6.7, and the spec'],
    ['of another Kubernetes', [4], { kubeVersion: 'v1.29.6' }, 'its kubelet is v1.29.7'],
  ])('%s is not taken over', { timeout: LONG }, async (...[, machines, over, expected]) => {
    await world.objects.apply(pool(machines, over))

    const said = await untilSays(world, POOL, DIFFERS)
    await world.pass(2)

    expect(said).toContain(expected)
    expect(await claimed()).toHaveLength(3)
    expect(deedsSince(world, 0)).toEqual([])
    await world.objects.remove(...POOL)
    await world.until('it to be gone', async () => !(await world.objects.find(...POOL)))
  })

  test('that is otherwise configured is taken over, and changed when somebody agrees', {
    timeout: LONG,
  }, async () => {
    const { configRef: _, ...spec } = pool([4]).spec
    await world.objects.apply({ ...pool([4]), spec })
    const name = `pool-${world.address(4)}`

    const said = await untilSays(world, [Machine, name], {
      ...{ type: 'Ready', reason: 'WaitsForConsent' },
    })
    await world.pass(10)
    expect(deedsSince(world, 0)).toEqual([])

    const [key = '', token = ''] = /\S+=\S+$/.exec(said)?.[0].split('=') ?? []
    await world.objects.annotate(Machine, name, { [key]: token })
    await untilSays(world, POOL, { type: 'Ready', reason: 'AsWanted' })
    expect(deedsSince(world, 0)).toEqual([`configuration.apply ${world.address(4)} done`])
    expect(await brokenInvariants(world)).toEqual([])
  })
})

test('a control plane of which a machine is otherwise configured is taken over, and that is changed when somebody agrees', {
  timeout: LONG,
}, async () => {
  await world.objects.remove(...POOL)
  await world.until('it to be gone', async () => !(await world.objects.find(...POOL)))
  await world.objects.remove(...CONTROL_PLANE)
  await untilGone(world)
  await foreign.change(2, { machine: { sysctls: { 'vm.swappiness': '1' } } })
  const [before, second] = [world.history.length, [Machine, `one-${world.address(2)}`] as const]
  await world.objects.apply(controlPlane([1, 2, 3], { deletionPolicy: 'preserve' }))

  const said = await untilSays(world, second, { type: 'Ready', reason: 'WaitsForConsent' })
  await world.pass(10)
  expect(await claimed()).toHaveLength(3)
  expect(deedsSince(world, before)).toEqual([])

  const [key = '', token = ''] = /\S+=\S+$/.exec(said)?.[0].split('=') ?? []
  await world.objects.annotate(...second, { [key]: token })
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'AsWanted' })
  expect(deedsSince(world, before)).toEqual([`configuration.apply ${world.address(2)} done`])
  expect(await brokenInvariants(world)).toEqual([])
})

test('a machine that somebody took out of etcd is named', { timeout: LONG }, async () => {
  await world.objects.remove(...CONTROL_PLANE)
  await untilGone(world)
  {
    using machines = world.machinesOfSomebodyElse()
    const access = await foreign.access()
    const at = (number: number) => machines.machine({ address: world.address(number), access })
    const member = await at(3).cluster.etcdMemberId()
    await at(1).etcd.removeMember(member ?? 0n)
  }
  await world.objects.apply(controlPlane([1, 2, 3]))

  const said = await untilSays(world, CONTROL_PLANE, DIFFERS)

  expect(said).toContain(`${world.address(3)} is no member of etcd`)
})
