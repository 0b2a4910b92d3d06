import { expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, deedsSince, onMachines, untilReady, votersOf } from './a-control-plane.ts'
import { brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { conditionOf, untilReady as untilClusterReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000

const nameOf = (world: World, number: number) => `one-${world.address(number)}`

const uidOf = async (world: World, number: number) =>
  (await world.objects.find(Machine, nameOf(world, number)))?.metadata.uid

const uuidOf = (world: World, number: number): string =>
  world.fleet.machine(world.address(number))?.hardware.uuid ?? ''

/** What was done to machines that is more than to give them their configuration. */
const harshDeeds = (world: World, since: number) =>
  deedsSince(world, since).filter((deed) => !deed.startsWith('configuration.apply'))

/** The same list, with a word on who the last machine is. */
function naming(world: World, machines: readonly number[], uuid: string) {
  const { spec, ...rest } = onMachines(world, machines)
  const { metalSpec } = spec
  const last = metalSpec.machines.length - 1
  const named = metalSpec.machines.map((entry, at) => (at === last ? { ...entry, uuid } : entry))
  return { ...rest, spec: { ...spec, metalSpec: { ...metalSpec, machines: named } } }
}

test('a machine whose address moves is the same machine when the spec says where it is', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.141', machines: 3, versions: QUICK })
  await world.objects.apply(onMachines(world, [1, 2, 3]))
  await untilReady(world, [1, 2, 3])
  const [uid, uuid, before] = [await uidOf(world, 3), uuidOf(world, 3), world.history.length]

  // It has got another lease, and runs there.
  await world.move(3, 4)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })
  await world.objects.apply(onMachines(world, [1, 2, 4]))
  await untilReady(world, [1, 2, 4])
  expect(await uidOf(world, 3)).toBe(uid)

  // It is off when the spec is edited, and comes up later.
  world.fleet.machine(world.address(4))?.powerOff()
  await world.objects.apply(onMachines(world, [1, 2, 5]))
  const why = await untilSays(world, CONTROL_PLANE, {
    ...{ type: 'Ready', reason: 'WaitingForMachines' },
  })
  await world.pass(20)
  expect(why).toContain(`${nameOf(world, 3)} does not work, and is in the spec no more`)
  expect(why).toContain(`who answers at ${world.address(5)}`)
  await world.move(4, 5)
  world.fleet.machine(world.address(5))?.powerOn()
  await untilReady(world, [1, 2, 5])
  expect(await uidOf(world, 3)).toBe(uid)

  // The spec says who it is, so nobody has to be asked.
  world.fleet.machine(world.address(5))?.powerOff()
  await world.objects.apply(naming(world, [1, 2, 6], uuid.toUpperCase()))
  await world.until('it to be looked for there', async () => {
    return (
      (await world.objects.find(Machine, nameOf(world, 3)))?.spec?.endpoint === world.address(6)
    )
  })
  expect(await uidOf(world, 6)).toBeUndefined()
  await world.move(5, 6)
  world.fleet.machine(world.address(6))?.powerOn()
  await untilReady(world, [1, 2, 6])

  expect(await uidOf(world, 3)).toBe(uid)
  expect(votersOf(world)).toBe(3)
  expect(harshDeeds(world, before)).toEqual([])
  expect(await brokenInvariants(world)).toEqual([])
})

test('one that is off stays until it is known who is in its place, and goes first if that is another', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.142', machines: 4, versions: QUICK })
  world.fleet.machine(world.address(4))?.powerOff()
  await world.objects.apply(onMachines(world, [1, 2, 3]))
  await untilReady(world, [1, 2, 3])
  const before = world.history.length
  world.fault('unreachable', 2)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })

  await world.objects.apply(onMachines(world, [1, 4, 3]))
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'WaitingForMachines' })
  await world.pass(20)
  expect(deedsSince(world, before)).toEqual([])
  world.fleet.machine(world.address(4))?.powerOn()
  await world.until('the new one to be a member', async () => {
    return (await conditionOf(world, [Machine, nameOf(world, 4)], 'Ready'))?.status === 'True'
  })

  expect(harshDeeds(world, before)).toEqual([`etcd.removeMember ${world.address(1)} done`])
  expect(votersOf(world)).toBe(3)
  expect(await brokenInvariants(world)).toEqual([])
})

test('a worker whose address moves is the same machine, also one that comes back empty, or that was told to go', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.143', machines: 4, versions: QUICK })
  for (const free of [3, 4]) world.fleet.remove(world.address(free))
  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilClusterReady(world, 'one')
  const uid = await uidOf(world, 2)

  world.fleet.machine(world.address(2))?.powerOff()
  await world.objects.apply(world.cluster('one', [1], [3]))
  const pool = [Worker, 'one'] as const
  const why = await untilSays(world, pool, { type: 'Ready', reason: 'WaitingForMachines' })
  await world.pass(20)
  expect(why).toContain(`who answers at ${world.address(3)}`)
  await world.move(2, 3)
  world.fleet.machine(world.address(3))?.powerOn()
  await untilClusterReady(world, 'one')
  expect(await uidOf(world, 2)).toBe(uid)

  const { hardware } = world.fleet.machine(world.address(3)) ?? {}
  world.fleet.remove(world.address(3))
  world.fleet.add({
    ...{ address: world.address(4), talosVersion: QUICK.talos, ...(hardware && { hardware }) },
  })
  await world.objects.apply(world.cluster('one', [1], [4]))
  await world.until('the machine to run again', () => {
    return world.fleet.machine(world.address(4))?.stage === 'running'
  })
  await untilClusterReady(world, 'one')

  expect(await uidOf(world, 2)).toBe(uid)
  expect((await world.objects.list(Machine)).map(({ spec }) => spec?.endpoint)).toEqual([
    world.address(1),
    world.address(4),
  ])
  expect(resetsIn(world)).toBe(0)

  // Told to go while it is off, it is reset where it comes up, and installed anew as what is listed there.
  world.fleet.machine(world.address(4))?.powerOff()
  await world.objects.remove(Machine, nameOf(world, 2))
  await untilSays(world, [Machine, nameOf(world, 2)], { type: 'Deleting', reason: 'ResetBlocked' })
  await world.objects.apply(world.cluster('one', [1], [3]))
  await world.move(4, 3)
  world.fleet.machine(world.address(3))?.powerOn()
  await untilClusterReady(world, 'one')

  expect([await uidOf(world, 2), await uidOf(world, 3)]).toEqual([undefined, expect.any(String)])
  expect(resetsIn(world)).toBe(1)
  expect(await brokenInvariants(world)).toEqual([])
})
