import { expect, test } from 'vitest'
import { ETCD_MEMBER, FORCE_DELETION } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { CONTROL_PLANE, deedsSince, onMachines, untilReady, votersOf } from './a-control-plane.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { toldOf, untilTold } from './told.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000

const three = async (subnet: string): Promise<World> => {
  const world = await aWorld({ subnet, machines: 4, versions: QUICK })
  await world.objects.apply(onMachines(world, [1, 2, 3]))
  await untilReady(world, [1, 2, 3])
  return world
}

const untilWell = (world: World) =>
  world.until('the control plane to be Ready', async () => {
    return (await conditionOf(world, CONTROL_PLANE, 'Ready'))?.status === 'True'
  })

test('a machine that is off goes through another one, and is wiped when it comes back', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.52')
  const [before, name] = [world.history.length, `one-${world.address(3)}`]
  const come = world.fault('unreachable', 3)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })

  await world.objects.apply(onMachines(world, [1, 2]))
  await untilWell(world)
  await untilSays(world, [Machine, name], { type: 'Deleting', reason: 'ResetBlocked' })
  await world.pass(10)

  expect(deedsSince(world, before)).toEqual([`etcd.removeMember ${world.address(1)} done`])
  expect(votersOf(world)).toBe(2)
  expect((await conditionOf(world, CONTROL_PLANE, 'Ready'))?.status).toBe('True')
  const nodes = world.history.filter((call) => call.to === 'kubernetes' && call.kind === 'nodes')
  expect(nodes.map(({ method, outcome }) => [method, outcome])).toEqual([['DELETE', 'done']])

  come()
  await untilReady(world, [1, 2])
  expect(deedsSince(world, before).at(-1)).toBe(`reset ${world.address(3)} done`)
  expect(votersOf(world)).toBe(2)
  expect(await brokenInvariants(world)).toEqual([])
})

test('a machine is put in the place of one that is off, which goes first', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.53')
  const before = world.history.length
  world.fault('unreachable', 2)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })

  await world.objects.apply(onMachines(world, [1, 4, 3]))
  await untilWell(world)

  expect(deedsSince(world, before)).toContain(`etcd.removeMember ${world.address(1)} done`)
  expect(votersOf(world)).toBe(3)
  expect(await brokenInvariants(world)).toEqual([])
})

test('nobody goes whom the others could not do without, and it goes when they can', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.54')
  const before = world.history.length
  const come = world.fault('unreachable', 3)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })

  await world.objects.remove(Machine, `one-${world.address(2)}`)
  const message = await untilSays(world, CONTROL_PLANE, {
    ...{ type: 'Ready', reason: 'QuorumWouldBeLost' },
  })
  await untilSays(world, [Machine, `one-${world.address(2)}`], {
    ...{ type: 'Deleting', reason: 'LeavingEtcd' },
  })
  await world.pass(10)

  expect(message).toContain(`one-${world.address(2)} stays`)
  expect(message).toContain(`one-${world.address(3)} is not well`)
  expect(deedsSince(world, before)).toEqual([])

  come()
  await world.until('it to be reset', () =>
    deedsSince(world, before).includes(`reset ${world.address(2)} done`),
  )
  await untilReady(world, [1, 2, 3])
  expect(votersOf(world)).toBe(3)
  expect(await brokenInvariants(world)).toEqual([])
})

test('force lets an object go, and its member is named for whoever takes it out', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.55')
  world.fault('unreachable', 3)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })
  const name = `one-${world.address(3)}`
  const found = await world.objects.find(Machine, name)
  const member = found?.metadata.annotations?.[ETCD_MEMBER]

  await world.objects.annotate(Machine, name, { [FORCE_DELETION]: 'true' })
  await world.objects.apply(onMachines(world, [1, 2]))
  await world.until('it to be gone', async () => !(await world.objects.find(Machine, name)))
  await untilWell(world)
  await untilTold(world, CONTROL_PLANE, 'UnknownEtcdMember')

  expect(member).toBeDefined()
  expect((await toldOf(world, CONTROL_PLANE)).join()).toContain(`etcd remove-member ${member}`)
  expect(await brokenInvariants(world)).toEqual([])
})

test('a cluster begins without a machine that died before, once that is in the spec no more', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.58', machines: 3, versions: QUICK })
  // The third one takes its configuration, and is never heard of again.
  world.fault('dies', 3, 'at=before-install')
  await world.objects.apply(onMachines(world, [1, 2, 3]))
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'WaitingForMachines' })
  await world.until('the third to be configured', () =>
    deedsSince(world, 0).includes(`configuration.apply ${world.address(3)} done`),
  )
  await world.pass(5)

  await world.objects.apply(onMachines(world, [1, 2]))
  await untilWell(world)

  expect(votersOf(world)).toBe(2)
  expect(await brokenInvariants(world)).toEqual([])
})

test('a machine that is off can be taken out for the sake of one that was deleted before', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.59')
  world.fault('unreachable', 3)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })
  const before = world.history.length
  await world.objects.remove(Machine, `one-${world.address(2)}`)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'QuorumWouldBeLost' })

  await world.objects.apply(onMachines(world, [1, 2]))
  await world.until('the second to be installed anew', () =>
    deedsSince(world, before).includes(`configuration.apply ${world.address(2)} done`),
  )
  await untilWell(world)

  expect(votersOf(world)).toBe(2)
  expect(deedsSince(world, before)).toContain(`etcd.removeMember ${world.address(1)} done`)
  expect(await brokenInvariants(world)).toEqual([])
})

test('a machine that is to be kept from now on goes as it is, though the same edit took it out', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.60')
  const before = world.history.length
  const { spec, ...rest } = onMachines(world, [1, 2])
  await world.objects.apply({ ...rest, spec: { ...spec, deletionPolicy: 'preserve' } })
  await world.until('its object to be gone', async () =>
    (await world.objects.list(Machine)).every(({ spec }) => spec?.endpoint !== world.address(3)),
  )
  await world.pass(10)

  expect(deedsSince(world, before)).toEqual([])
  expect(votersOf(world)).toBe(3)
})
