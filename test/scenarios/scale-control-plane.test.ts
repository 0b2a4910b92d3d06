import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { BOOTSTRAP_MACHINE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { CONTROL_PLANE, deedsSince, onMachines, untilReady, votersOf } from './a-control-plane.ts'
import { WIPING } from './by-hand.ts'
import { bootstrapsIn, brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { controlPlaneIn } from './parts.ts'
import { toldOf, untilTold } from './told.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000

describe('a control plane', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld({ subnet: '127.80.51', machines: 4, versions: QUICK })
    await world.objects.apply(onMachines(world, [1]))
    await untilReady(world, [1])
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test('grows from one machine to three, which all vote', { timeout: LONG }, async () => {
    await world.objects.apply(onMachines(world, [1, 2, 3]))
    await untilReady(world, [1, 2, 3])

    expect(votersOf(world)).toBe(3)
    expect(bootstrapsIn(world)).toBe(1)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('gets another machine in the place of one, before that goes', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    await world.objects.apply(onMachines(world, [1, 2, 4]))
    await untilReady(world, [1, 2, 4])

    expect(votersOf(world)).toBe(3)
    expect(deedsSince(world, before)).toEqual([
      `configuration.apply ${world.address(4)} done`,
      expect.stringMatching(`^etcd.forfeitLeadership ${world.address(3)} `),
      `etcd.leave ${world.address(3)} done`,
      `reset ${world.address(3)} done`,
    ])
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('gets a machine whose object was deleted back, wiped and installed anew', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    await world.objects.remove(Machine, `one-${world.address(2)}`)
    await world.until('it to be configured anew', () =>
      deedsSince(world, before).includes(`configuration.apply ${world.address(2)} done`),
    )
    await untilReady(world, [1, 2, 4])

    expect(votersOf(world)).toBe(3)
    expect(deedsSince(world, before)).toContain(`reset ${world.address(2)} done`)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('lets the machine go that it began on', {
    timeout: LONG,
  }, async () => {
    const began = async () =>
      (await world.objects.find(ControlPlane, 'one'))?.metadata.annotations?.[BOOTSTRAP_MACHINE]
    const first = await began()
    await world.objects.apply(onMachines(world, [2, 4]))
    await untilReady(world, [2, 4])

    expect(votersOf(world)).toBe(2)
    expect(await began()).not.toBe(first)
    expect(bootstrapsIn(world)).toBe(1)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('takes that machine back as any other, and does not begin again', {
    timeout: LONG,
  }, async () => {
    await world.objects.apply(onMachines(world, [2, 4, 1]))
    await untilReady(world, [1, 2, 4])

    expect(votersOf(world)).toBe(3)
    expect(bootstrapsIn(world)).toBe(1)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('says whose reset nobody saw, and who is back because of that', {
    timeout: LONG,
  }, async () => {
    const object = [Machine, `one-${world.address(1)}`] as const
    const machine = world.fleet.machine(world.address(1))
    world.fault('dies', 1, 'at=before-reset')
    await world.objects.apply(onMachines(world, [2, 4]))
    await untilReady(world, [2, 4])
    expect(await toldOf(world, object)).toContainEqual(expect.stringMatching(/^ResetNotSeen: /))
    expect(votersOf(world)).toBe(2)

    machine?.powerOn()
    await untilTold(world, CONTROL_PLANE, 'UnknownNode')
    // Its configuration has it join etcd again.
    await untilTold(world, CONTROL_PLANE, 'UnknownEtcdMember')
    expect((await conditionOf(world, CONTROL_PLANE, 'Ready'))?.status).toBe('True')

    machine?.reset(WIPING)
    await world.until('it to be wiped', () => machine?.stage === 'maintenance')
    expect(votersOf(world)).toBe(2)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('shrinks to one machine, one after the other', { timeout: LONG }, async () => {
    await world.objects.apply(onMachines(world, [2]))
    await untilReady(world, [2])

    expect(votersOf(world)).toBe(1)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('keeps its last machine, whoever deletes that', { timeout: LONG }, async () => {
    const before = world.history.length
    await world.objects.remove(Machine, `one-${world.address(2)}`)
    await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'LastHealthyMember' })
    await world.pass(10)

    expect(deedsSince(world, before)).toEqual([])
    expect(votersOf(world)).toBe(1)
  })
})

test('the machine that the endpoint leads to stays, and it is said why', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.57', machines: 2, versions: QUICK })
  await world.objects.apply(controlPlaneIn(world, 'one', [1, 2]))
  await untilReady(world, [1, 2])
  const before = world.history.length
  await world.objects.patch(ControlPlane, 'one', {
    spec: { metalSpec: { machines: [{ address: world.address(2) }] } },
  })

  const message = await untilSays(world, CONTROL_PLANE, {
    ...{ type: 'Ready', reason: 'EndpointOnMachine' },
  })
  await world.pass(10)

  expect(message).toContain(`one-${world.address(1)} stays`)
  expect(deedsSince(world, before)).toEqual([])
  expect(await world.objects.list(Machine)).toHaveLength(2)
})
