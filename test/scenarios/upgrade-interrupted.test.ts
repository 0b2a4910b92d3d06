import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { UPGRADE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, deedsSince } from './a-control-plane.ts'
import { untilAsWanted } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { untilSays } from './verdicts.ts'
import { type Workloads, workloadsOf } from './workloads.ts'
import { aWorld, type World } from './world.ts'

const LONG = 300_000
const POOL = [Worker, 'pool'] as const
const VERSIONS = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }

/** What machines were told to install and to boot since then: `upgrade.lifecycle 127.80.69.2 done`. */
const toldSince = (world: World, since: number) =>
  deedsSince(world, since).filter((deed) => /^(upgrade|reboot)/.test(deed))

describe('an upgrade in the way that there is since v1.13', () => {
  let world: World
  let workloads: Workloads
  beforeAll(async () => {
    world = await aWorld({ subnet: '127.80.69', machines: 3, versions: VERSIONS })
    await world.bringSecrets('one')
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    const { spec, ...pool } = workerIn(world, { name: 'pool', joins: 'one', machines: [2, 3] })
    const rolloutStrategy = { drain: { timeoutSeconds: 300 } }
    await world.objects.apply({ ...pool, spec: { ...spec, rolloutStrategy } })
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    workloads = await workloadsOf(world, 'one')
  }, LONG)
  afterAll(async () => {
    workloads[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  const setVersion = async (version: string) => {
    await world.objects.patch(ControlPlane, 'one', { spec: { version } })
    await world.objects.patch(Worker, 'pool', { spec: { version } })
  }
  const first = () => [Machine, `pool-${world.address(2)}`] as const
  const nodeOf = (at: number) => world.fleet.machine(world.address(at))?.hostname ?? ''

  const toFirst = (since: number) =>
    toldSince(world, since).filter((deed) => deed.includes(world.address(2)))

  /** Has a pod on the first worker that never may leave it. */
  async function held(): Promise<void> {
    await workloads.cordon(nodeOf(3), true)
    await workloads.deploy('web', 1)
    await world.until('the pod', async () => (await workloads.nodesOf('web')).length === 1)
    await workloads.cordon(nodeOf(3), false)
    await workloads.budget('web', 1)
  }

  test('that no budget lets go on installs once, however often the operator starts anew', {
    timeout: LONG,
  }, async () => {
    await held()
    const before = world.history.length
    await setVersion('v1.13.1')
    await untilSays(world, first(), { type: 'Ready', reason: 'Draining' })
    for (let times = 0; times < 3; times++) {
      await world.restartOperator()
      await world.pass(2)
    }
    await untilSays(world, first(), { type: 'Ready', reason: 'DrainBlocked' })
    await world.restartOperator()
    await world.pass(10)
    const installed = `upgrade.lifecycle ${world.address(2)} done`
    expect(toFirst(before)).toEqual([installed])

    await workloads.budget('web', undefined)
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    expect(toFirst(before)).toEqual([installed, `reboot ${world.address(2)} done`])
    expect(await brokenInvariants(world)).toEqual([])
    await workloads.remove('web')
  })

  test('that is taken back between its installation and the boot does not come up later', {
    timeout: LONG,
  }, async () => {
    await held()
    const before = world.history.length
    await setVersion('v1.13.2')
    await untilSays(world, first(), { type: 'Ready', reason: 'Draining' })
    await world.objects.patch(Worker, 'pool', { spec: { version: 'v1.13.1' } })
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    const installed = `upgrade.lifecycle ${world.address(2)} done`
    expect(toFirst(before)).toEqual([installed, installed])
    expect(await workloads.isCordoned(nodeOf(2))).toEqual({ isCordoned: false, isMarked: false })
    expect((await world.objects.find(...first()))?.metadata.annotations).not.toHaveProperty(UPGRADE)
    const machine = world.fleet.machine(world.address(2))
    machine?.powerOff()
    machine?.powerOn()
    await world.pass(5)
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    expect(machine?.talosVersion).toBe('v1.13.1')
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('of a node that somebody cordoned leaves it cordoned, and the other one not', {
    timeout: LONG,
  }, async () => {
    await workloads.budget('web', undefined)
    await workloads.remove('web')
    await workloads.cordon(nodeOf(3), true)
    const before = world.history.length
    await setVersion('v1.13.3')
    await untilAsWanted(world, CONTROL_PLANE, POOL)

    expect(toldSince(world, before)).toContain(`reboot ${world.address(3)} done`)
    expect(await workloads.isCordoned(nodeOf(3))).toEqual({ isCordoned: true, isMarked: false })
    expect(await workloads.isCordoned(nodeOf(2))).toEqual({ isCordoned: false, isMarked: false })
    expect(await brokenInvariants(world)).toEqual([])
    await workloads.cordon(nodeOf(3), false)
  })
})

test('an installation that goes on for minutes after its answer was lost is waited for', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({
    ...{ subnet: '127.80.69', machines: 1, versions: VERSIONS, speed: 0.08 },
  })
  await world.bringSecrets('one')
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await untilAsWanted(world, CONTROL_PLANE)
  const before = world.history.length
  world.loseReplyOf(`upgrade.lifecycle ${world.address(1)}`)
  await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.13.1' } })
  await untilAsWanted(world, CONTROL_PLANE)

  const told = toldSince(world, before)
  expect(told.filter((deed) => deed.endsWith('refused')).length).toBeGreaterThanOrEqual(3)
  expect(told.at(-1)).toBe(`reboot ${world.address(1)} done`)
  expect(world.fleet.machine(world.address(1))?.talosVersion).toBe('v1.13.1')
  expect(await brokenInvariants(world)).toEqual([])
})
