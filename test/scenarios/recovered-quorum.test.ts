import { expect, test } from 'vitest'
import { PodDisruptionBudget } from '#api/foreign.ts'
import { ETCD_FORGOTTEN, ETCD_MEMBER } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import { CONTROL_PLANE, deedsSince, onMachines, untilReady } from './a-control-plane.ts'
import { objectsIn } from './cluster-content.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { OURS } from './objects.ts'
import { controlPlaneIn } from './parts.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { workloadsOf } from './workloads.ts'
import { aWorld, type World } from './world.ts'

// What a user does with talosctl is done to the machines themselves here; that talosctl can do it is tried with the real one.

const LONG = 240_000
const DATABASE = '/var/lib/etcd/member/snap/db'
const EMPTYING = {
  ...{ graceful: false, reboot: true, userDisks: [], mode: 'ALL' as const },
  partitions: [{ label: 'EPHEMERAL', wipe: true }],
}

/** On machines of these numbers, of which the first is the endpoint: what is lost takes no address along. */
const on = (world: World, machines: readonly number[]) => controlPlaneIn(world, 'one', machines)

const three = async (subnet: string): Promise<World> => {
  const world = await aWorld({ subnet, machines: 5, versions: QUICK })
  await world.objects.apply(on(world, [1, 2, 3]))
  await untilReady(world, [1, 2, 3])
  await world.pass(2)
  return world
}

const machineAt = (world: World, number: number): SimulatedMachine => {
  const machine = world.fleet.machine(world.address(number))
  if (!machine) throw new Error(`there is no machine ${number}`)
  return machine
}

async function emptied(world: World, machine: SimulatedMachine): Promise<void> {
  const { bootId } = machine
  machine.reset(EMPTYING)
  const etcd = () => machine.services.find(({ id }) => id === 'etcd')?.phase
  await world.until(
    'etcd to wait for a bootstrap',
    () => machine.bootId !== bootId && etcd() === 'Preparing',
  )
}

function begunFrom(copy: Uint8Array, machine: SimulatedMachine): void {
  machine.receiveSnapshot(copy)
  machine.bootstrap({ recoverEtcd: true, skipHashCheck: true })
}

/** Two of three do not answer, and etcd was begun anew on the first. The functions bring them back. */
async function recovered(world: World): Promise<(() => void)[]> {
  const come = [world.fault('unreachable', 2), world.fault('unreachable', 3)]
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'QuorumLost' })
  const first = machineAt(world, 1)
  const copy = await first.readFile(DATABASE)
  await emptied(world, first)
  begunFrom(copy, first)
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })
  await world.pass(3)
  return come
}

const saidOf = async (world: World) => (await conditionOf(world, CONTROL_PLANE, 'Ready'))?.message

const untilWell = (world: World) =>
  world.until('the control plane to be Ready', async () => {
    return (await conditionOf(world, CONTROL_PLANE, 'Ready'))?.status === 'True'
  })

/** The machines that are members of the etcd which was begun last, sorted. */
const membersOf = ({ fleet }: World): string[] =>
  fleet.clusters
    .flatMap(({ halves }) => halves.slice(-1))
    .flatMap(({ etcd }) => etcd.members)
    .flatMap(({ peerUrls }) => peerUrls.map((url) => new URL(url).hostname))
    .sort()

test('a cluster is recovered from the database of the machine that is left', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.70')
  using workloads = await workloadsOf(world, 'one')
  await workloads.budget('kept', 1)
  const before = world.history.length
  const first = machineAt(world, 1)
  const noted = async () =>
    (await world.objects.find(Machine, `one-${world.address(1)}`))?.metadata.annotations
  const former = (await noted())?.[ETCD_MEMBER]

  world.fleet.remove(world.address(2))
  world.fleet.remove(world.address(3))
  const lost = await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'QuorumLost' })
  const copy = await first.readFile(DATABASE)
  await emptied(world, first)
  // Nobody who forgets what was seen begins anything, or counts otherwise.
  for (const kind of OURS) {
    for (const { metadata } of await world.objects.list(kind)) {
      await world.objects.wipeStatus(kind, metadata.name)
    }
  }
  await world.restartOperator()
  await world.pass(5)
  const waiting = await conditionOf(world, CONTROL_PLANE, 'Ready')
  begunFrom(copy, first)
  const alone = await untilSays(world, CONTROL_PLANE, {
    ...{ type: 'Ready', reason: 'MachinesNotReady' },
  })
  await world.pass(10)

  const at = `talosctl -e ${world.address(1)} -n ${world.address(1)}`
  expect(lost).toContain(`\`${at} cp ${DATABASE} .\`, then \`${at} reset`)
  expect(waiting?.reason).toBe('QuorumLost')
  expect(waiting?.message).toContain(`one-${world.address(1)} runs no etcd`)
  expect(waiting?.message).toContain(`\`${at} bootstrap --recover-from=./db`)
  expect(waiting?.message).not.toContain(' cp ')
  expect(alone).toContain(`one-${world.address(2)}`)
  expect(deedsSince(world, before)).toEqual([])
  expect([bootstrapsIn(world), resetsIn(world)]).toEqual([1, 1])
  expect((await noted())?.[ETCD_MEMBER]).not.toBe(former)
  expect(membersOf(world)).toEqual([world.address(1)])
  const kept = await objectsIn(world.fleet, PodDisruptionBudget)
  expect(kept.map(({ metadata }) => metadata.name)).toContain('kept')

  await world.objects.apply(on(world, [1, 4, 5]))
  await untilWell(world)
  await world.pass(10)
  expect(deedsSince(world, before).sort()).toEqual([
    `configuration.apply ${world.address(4)} done`,
    `configuration.apply ${world.address(5)} done`,
  ])
  expect(membersOf(world)).toEqual([1, 4, 5].map((number) => world.address(number)))
  expect(await saidOf(world)).toBe('everything is as the spec says')
  expect(await brokenInvariants(world)).toEqual([])
})

test('members that a recovered etcd knows nothing of do not count for its majority', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.71')
  const before = world.history.length
  await recovered(world)
  const machines = await world.objects.list(Machine)

  machineAt(world, 1).powerOff()
  const message = await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'QuorumLost' })
  machineAt(world, 1).powerOn()
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })

  const isForgotten = machines.map(({ metadata: { annotations = {} } }) => {
    return annotations[ETCD_FORGOTTEN] === annotations[ETCD_MEMBER]
  })
  expect(isForgotten).toEqual([false, true, true])
  expect(message).toContain('of 1 member 1 is needed')
  expect(message).not.toContain(`one-${world.address(2)}`)
  expect(deedsSince(world, before)).toEqual([])
  expect(await brokenInvariants(world)).toEqual([])
})

test('a machine that comes back with what the lost etcd left on it is named, and joins without that', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.72')
  const before = world.history.length
  const [second, third] = await recovered(world)

  second?.()
  const message = await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'OldEtcdData' })
  await world.pass(5)
  expect(deedsSince(world, before)).toEqual([])
  expect(message).toContain(`one-${world.address(2)} has data of an etcd that is no more`)

  machineAt(world, 2).reset(EMPTYING)
  await world.until('the second to join', () => membersOf(world).includes(world.address(2)))
  third?.()
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'OldEtcdData' })
  // Or by the operator, for which it is a machine like any other that is deleted.
  await world.objects.remove(Machine, `one-${world.address(3)}`)
  await untilReady(world, [1, 2, 3])
  expect(deedsSince(world, before)).toEqual([
    `reset ${world.address(3)} done`,
    `configuration.apply ${world.address(3)} done`,
  ])
  expect(membersOf(world)).toEqual([1, 2, 3].map((number) => world.address(number)))
  expect(await brokenInvariants(world)).toEqual([])
})

test('what was given up for lost and comes back as a majority stops everything, until somebody chooses', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.73')
  const before = world.history.length
  const come = await recovered(world)

  for (const one of come) one()
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'EtcdSplit' })
  await world.objects.apply(on(world, [1, 4, 5]))
  await world.pass(10)
  const { reason, message } = (await conditionOf(world, CONTROL_PLANE, 'Ready')) ?? {}
  expect(await world.objects.list(Machine)).toHaveLength(3)
  expect(reason).toBe('EtcdSplit')
  expect(message).toContain(`one-${world.address(1)} with 1 member`)
  expect(message).toContain(`one-${world.address(2)}, one-${world.address(3)} with 3 members`)
  expect(deedsSince(world, before)).toEqual([])

  await world.objects.apply(on(world, [1, 2, 3]))
  machineAt(world, 2).reset(EMPTYING)
  machineAt(world, 3).reset(EMPTYING)
  await untilReady(world, [1, 2, 3])
  expect(deedsSince(world, before)).toEqual([])
  expect(membersOf(world)).toEqual([1, 2, 3].map((number) => world.address(number)))
  expect(await brokenInvariants(world)).toEqual([])
})

test('machines that were lost and taken out of the list are wiped when they come back', {
  timeout: LONG,
}, async () => {
  await using world = await three('127.80.74')
  const before = world.history.length
  const come = await recovered(world)

  await world.objects.apply(on(world, [1]))
  await untilWell(world)
  for (const one of come) one()
  await untilReady(world, [1])

  expect(deedsSince(world, before).sort()).toEqual([
    `reset ${world.address(2)} done`,
    `reset ${world.address(3)} done`,
  ])
  expect(membersOf(world)).toEqual([world.address(1)])
  expect(machineAt(world, 2).stage).toBe('maintenance')
  expect(await brokenInvariants(world)).toEqual([])
})

test('a cluster of which no machine is left is recovered on others, from a snapshot', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.75', machines: 3, versions: QUICK })
  // Its address is that of whoever is there.
  await world.objects.apply(onMachines(world, [1]))
  await untilWell(world)
  const before = world.history.length
  const snapshot = await machineAt(world, 1).etcd?.snapshot()

  world.fleet.remove(world.address(1))
  await world.objects.apply(onMachines(world, [2, 3]))
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'QuorumLost' })
  const second = machineAt(world, 2)
  await world.until('etcd to wait for a bootstrap', () =>
    second.services.some(({ id, phase }) => id === 'etcd' && phase === 'Preparing'),
  )
  await world.pass(5)
  const message = await saidOf(world)
  second.receiveSnapshot(snapshot ?? new Uint8Array())
  second.bootstrap({ recoverEtcd: true, skipHashCheck: false })
  await untilWell(world)

  expect(message).toContain('has to be recovered from a snapshot')
  expect(deedsSince(world, before).sort()).toEqual([
    `configuration.apply ${world.address(2)} done`,
    `configuration.apply ${world.address(3)} done`,
  ])
  expect(bootstrapsIn(world)).toBe(1)
  expect(membersOf(world)).toEqual([world.address(2), world.address(3)])
  expect(await brokenInvariants(world)).toEqual([])
})
