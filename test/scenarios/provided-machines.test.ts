import { afterAll, beforeAll, expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { type AProvider, PROVIDER } from './a-provider.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { untilReady } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
let provider: AProvider
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.94', machines: 0 })
  provider = await world.provider([1, 2, 3])
  await world.bringSecrets('one')
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const order = (name: string, spec: object = {}) =>
  world.objects.create(ProvidedMachine, {
    ...{ metadata: { name }, spec: { provider: PROVIDER, ...spec } },
  })

const addressOf = async (name: string) =>
  (await world.objects.find(ProvidedMachine, name))?.status?.publicIPAddresses?.[0]

const untilRuns = (name: string, number: number) =>
  world.until(`${name} to run at ${world.address(number)}`, async () => {
    const { status } = (await world.objects.find(ProvidedMachine, name)) ?? {}
    const isAt = status?.publicIPAddresses?.[0] === world.address(number)
    return status?.phase === 'Running' && isAt
  })

const machineAt = (number: number) => world.fleet.machine(world.address(number))

/** A cluster on the machines of these Machines, wherever they are. */
function clusterOn(controlPlane: string, worker: string) {
  const { spec, ...rest } = world.cluster('one', [1], [2])
  const on = (name: string) => ({
    machines: [
      {
        machineRef: {
          ...{ apiVersion: apiVersionOf(ProvidedMachine), kind: 'Machine', name },
          fieldPath: '.status.publicIPAddresses[0]',
        },
      },
    ],
  })
  return {
    ...rest,
    spec: {
      controlPlane: { ...spec.controlPlane, metalSpec: on(controlPlane) },
      worker: { ...spec.worker, metalSpec: on(worker) },
    },
  }
}

// One life: each test begins where the one before it ended.

test('Machines become machines that answer in maintenance mode', { timeout: LONG }, async () => {
  await order('host-a')
  await untilRuns('host-a', 1)
  await order('host-b')
  await untilRuns('host-b', 2)
  await world.until('both to wait', () =>
    [1, 2].every((number) => machineAt(number)?.stage === 'maintenance'),
  )

  using machines = world.machinesOfSomebodyElse()
  const access = { kind: 'maintenance' } as const
  const found = await machines.machine({ address: world.address(1), access }).state.status()
  expect(found?.stage).toBe('maintenance')
  const { uid } = (await world.objects.find(ProvidedMachine, 'host-a'))?.metadata ?? {}
  expect(machineAt(1)?.hardware.uuid).toBe(uid)
})

test('a cluster that refers to them comes up, and the provider has nothing more to write', {
  timeout: LONG,
}, async () => {
  const before = provider.history.length
  await world.objects.apply(clusterOn('host-a', 'host-b'))

  await untilReady(world, 'one')
  await world.pass(10)

  expect([machineAt(1)?.type, machineAt(2)?.type]).toEqual(['controlplane', 'worker'])
  expect(provider.history.slice(before)).toEqual([])
})

test('an address that the provider changes is followed, and the machine stays in its cluster', {
  timeout: LONG,
}, async () => {
  const machine = machineAt(2)
  world.fleet.faults.add(parseFault('address-changes:host-b'))

  await untilRuns('host-b', 3)
  await world.until('the operator to follow', async () => {
    const found = await world.objects.find(Machine, 'one-host-b')
    return found?.spec?.endpoint === world.address(3)
  })
  await untilReady(world, 'one')

  expect([machineAt(2), machineAt(3)]).toEqual([undefined, machine])
  await world.until('it to run again', () => machine?.stage === 'running')
  expect([bootstrapsIn(world), resetsIn(world)]).toEqual([1, 0])
  expect(await brokenInvariants(world)).toEqual([])
})

test('a provider that is restarted knows its machines', { timeout: LONG }, async () => {
  const machines = world.fleet.machines
  const before = provider.history.length

  await provider.restart()
  await world.pass(5)

  expect(world.fleet.machines).toEqual(machines)
  expect(provider.history.slice(before)).toEqual([])
})

test('a Machine that is deleted frees its address for the next one', {
  timeout: LONG,
}, async () => {
  const former = machineAt(3)?.hardware.uuid
  await order('host-c')
  await untilRuns('host-c', 2)
  await order('host-d')
  await world.until('host-d to wait for an address', async () => {
    const { status } = (await world.objects.find(ProvidedMachine, 'host-d')) ?? {}
    return status?.conditions?.some(({ reason }) => reason === 'NoFreeAddress') ?? false
  })

  await world.objects.remove(ProvidedMachine, 'host-b')

  await untilRuns('host-d', 3)
  expect(await world.objects.find(ProvidedMachine, 'host-b')).toBeUndefined()
  expect(await addressOf('host-d')).toBe(world.address(3))
  expect(machineAt(3)?.hardware.uuid).not.toBe(former)
})

test('an address that a Machine asks for is kept for it, whoever comes first', {
  timeout: LONG,
}, async () => {
  const slow = parseFault('provider-slow:host-e,by=10m')
  world.fleet.faults.add(slow)
  await world.objects.remove(ProvidedMachine, 'host-c')
  await world.objects.remove(ProvidedMachine, 'host-d')
  await world.until('both to be gone', () => !machineAt(2) && !machineAt(3))
  await order('host-e', { network: { privateIP: world.address(2) } })
  await order('host-f')

  await untilRuns('host-f', 3)
  await untilRuns('host-e', 2)
})
