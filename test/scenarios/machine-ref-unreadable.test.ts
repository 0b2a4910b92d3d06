import { afterEach, beforeEach, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { conditionOf, untilGone, untilReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeEach(async () => {
  world = await aWorld({ subnet: '127.80.99', machines: 3, versions: QUICK, hasApiFaults: true })
  await world.bringSecrets('one')
  for (const number of [1, 2]) await makeHost(number)
  await world.objects.apply(clusterWith([referring(1)], [referring(2)]))
  await untilReady(world, 'one')
}, LONG)
afterEach(async () => {
  expect(await brokenInvariants(world)).toEqual([])
  await world[Symbol.asyncDispose]()
}, LONG)

const hostOf = (number: number) => `host-${number}`

async function makeHost(number: number): Promise<void> {
  const name = hostOf(number)
  await world.objects.create(ProvidedMachine, { metadata: { name }, spec: { name } })
  await world.objects.patchStatus(ProvidedMachine, name, {
    publicIPAddresses: [world.address(number)],
  })
}

const referring = (number: number) => ({
  machineRef: {
    ...{ apiVersion: apiVersionOf(ProvidedMachine), kind: ProvidedMachine.kind },
    ...{ name: hostOf(number), fieldPath: '.status.publicIPAddresses[0]' },
  },
})

function clusterWith(controlPlanes: readonly object[], workers: readonly object[]) {
  const { spec, ...rest } = world.cluster('one', [1], [2])
  return {
    ...rest,
    spec: {
      controlPlane: { ...spec.controlPlane, metalSpec: { machines: controlPlanes } },
      worker: { ...spec.worker, metalSpec: { machines: workers } },
    },
  }
}

const stages = () => world.fleet.machines.map(({ stage }) => stage)

test('an object that the API cannot give is told in its words, and everything else goes on', {
  timeout: LONG,
}, async () => {
  const mend = world.apiFaults.breakKind(ProvidedMachine)
  const workers = [referring(2), { address: world.address(3) }]
  await world.objects.apply(clusterWith([referring(1)], workers))

  const why = await untilSays(world, [Worker, 'one'], {
    ...{ type: 'Ready', reason: 'MachineRefUnreadable' },
  })
  await untilSays(world, [ControlPlane, 'one'], { type: 'Ready', reason: 'MachineRefUnreadable' })
  const added = [Machine, `one-${world.address(3)}`] as const
  await world.until('the machine that is added by its address', async () => {
    return (await conditionOf(world, added, 'Ready'))?.status === 'True'
  })
  expect(why).toContain('so that we see what comes of it')
  expect((await world.objects.find(Machine, 'one-host-2'))?.spec?.endpoint).toBe(world.address(2))
  mend()
  await untilReady(world, 'one')

  expect(resetsIn(world)).toBe(0)
})

test('a cluster is deleted whose references nobody can read, and its machines are wiped', {
  timeout: LONG,
}, async () => {
  world.apiFaults.breakKind(ProvidedMachine)
  await world.objects.remove(Cluster, 'one')
  await untilGone(world)
  await world.until('its machines to wait', () => stages().every((one) => one === 'maintenance'))

  expect(resetsIn(world)).toBe(2)
})

test('the force annotation lets a cluster go whose references nobody can read', {
  timeout: LONG,
}, async () => {
  world.apiFaults.breakKind(ProvidedMachine)
  world.fault('unreachable', 1)
  await world.objects.remove(Cluster, 'one')
  await untilSays(world, [Worker, 'one'], { type: 'Deleting', reason: 'RemovingMachines' })
  await world.objects.annotate(Cluster, 'one', { [FORCE_DELETION]: 'true' })
  await untilGone(world)

  expect(world.fleet.machine(world.address(1))?.stage).toBe('running')
})
