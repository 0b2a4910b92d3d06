import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Node } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, deedsSince, onMachines } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { objectsIn } from './cluster-content.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { workerIn } from './parts.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000
const POOL = [Worker, 'pool'] as const

describe('an edit of what machines are configured by', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld({ subnet: '127.80.61', machines: 5, versions: QUICK })
    await world.objects.apply(onMachines(world, [1, 2, 3]))
    await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [4, 5] }))
    await untilAsWanted(world, CONTROL_PLANE, POOL)
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test('is rolled over a control plane, one machine after the other', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    await world.objects.apply(
      withPatch(onMachines(world, [1, 2, 3]), { machine: { sysctls: { 'vm.swappiness': '1' } } }),
    )
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'RollingOut' })
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(deedsSince(world, before)).toEqual(
      [1, 2, 3].map((at) => `configuration.apply ${world.address(at)} done`),
    )
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('is rolled over a pool, as many at once as may be down', { timeout: LONG }, async () => {
    const before = world.history.length
    const pool = workerIn(world, { name: 'pool', joins: 'one', machines: [4, 5] })
    const rolloutStrategy = { rollingUpdate: { maxUnavailable: '100%' } }
    await world.objects.apply(
      withPatch(
        { ...pool, spec: { ...pool.spec, rolloutStrategy } },
        { machine: { nodeLabels: { tier: 'front' } } },
      ),
    )
    await untilSays(world, POOL, { type: 'Ready', reason: 'RollingOut' })
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(deedsSince(world, before).sort()).toEqual(
      [4, 5].map((at) => `configuration.apply ${world.address(at)} done`),
    )
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('waits while the rollout is paused, and goes on when it is not', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const patch = { machine: { sysctls: { 'vm.swappiness': '2' } } }
    await world.objects.patch(ControlPlane, 'one', { spec: { rolloutStrategy: { paused: true } } })
    await world.objects.apply(withPatch(onMachines(world, [1, 2, 3]), patch))
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'Paused' })
    await world.pass(10)
    expect(deedsSince(world, before)).toEqual([])

    await world.objects.patch(ControlPlane, 'one', { spec: { rolloutStrategy: { paused: false } } })
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    expect(deedsSince(world, before)).toHaveLength(3)
  })

  test('that machines do not take changes none of them, and is mended by the next', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const refusing = world.fault('rejects-config', 1)
    await world.objects.apply(
      withPatch(onMachines(world, [1, 2, 3]), { machine: { sysctls: { 'vm.swappiness': '3' } } }),
    )
    const said = await untilSays(world, [Machine, `one-${world.address(1)}`], {
      ...{ type: 'Ready', reason: 'ConfigRejected' },
    })
    await world.pass(10)

    expect(said).toContain('Correct the spec')
    expect(deedsSince(world, before)).toEqual([])
    refusing()
    await world.objects.apply(
      withPatch(onMachines(world, [1, 2, 3]), { machine: { sysctls: { 'vm.swappiness': '4' } } }),
    )
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    expect(deedsSince(world, before)).toHaveLength(3)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('waits for a machine that is off, and changes no other one meanwhile', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const on = world.fault('unreachable', 2)
    await untilSays(world, [Machine, `one-${world.address(2)}`], {
      ...{ type: 'Ready', reason: 'Unreachable' },
    })
    await world.objects.apply(
      withPatch(onMachines(world, [1, 2, 3]), { machine: { sysctls: { 'vm.swappiness': '5' } } }),
    )
    await world.pass(15)
    expect(deedsSince(world, before)).toEqual([])

    on()
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    expect(deedsSince(world, before)).toHaveLength(3)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('that comes in the middle of another is what the rest get, and the first in its turn', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const to = (value: string) =>
      world.objects.apply(
        withPatch(onMachines(world, [1, 2, 3]), { machine: { sysctls: { 'vm.max': value } } }),
      )
    await to('1')
    await world.until('the first to be changed', () => deedsSince(world, before).length === 1)
    await to('2')
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(deedsSince(world, before)).toHaveLength(4)
    expect((await conditionOf(world, CONTROL_PLANE, 'Ready'))?.status).toBe('True')
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('that names a machine otherwise leaves no node of its old name', {
    timeout: LONG,
  }, async () => {
    const pool = workerIn(world, { name: 'pool', joins: 'one', machines: [4, 5] })
    const configPatches = [{ machine: { network: { hostname: 'renamed' } } }]
    const machines = [{ address: world.address(4), configPatches }, { address: world.address(5) }]
    const metalSpec = { ...pool.spec.metalSpec, machines }
    await world.objects.apply({ ...pool, spec: { ...pool.spec, metalSpec } })
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    await world.until('five nodes to be left', async () => {
      const names = (await objectsIn(world.fleet, Node)).map(({ metadata }) => metadata.name)
      return names.length === 5 && names.includes('renamed')
    })

    expect(await brokenInvariants(world)).toEqual([])
  })
})
