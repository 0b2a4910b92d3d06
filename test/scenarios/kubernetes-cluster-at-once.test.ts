import { afterAll, beforeAll, expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { controllersWith } from '#operator/controllers.ts'
import type { Ports } from '#operator/ports.ts'
import { bootstrapsIn, brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { conditionOf, untilGone } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const NAMES = ['first', 'second', 'third']

/** Called when a look of a cluster is nearly over, and has not been acted on yet. */
let beforeActing: (cluster: string) => Promise<void> = async () => undefined

function watched(ports: Ports): Ports {
  const { results } = ports.provided
  const look: typeof results.look = async (owner, ...given) => {
    await beforeActing(owner.name)
    return results.look(owner, ...given)
  }
  return { ...ports, provided: { ...ports.provided, results: { ...results, look } } }
}

let world: World
beforeAll(async () => {
  world = await aWorld({
    ...{ subnet: '127.80.84', machines: 6, versions: QUICK },
    env: { MAX_CONCURRENT_RECONCILES: '4' },
    controllers: (ports) => controllersWith(watched(ports)),
  })
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const shaped = (name: string, number: number) => ({
  apiVersion: apiVersionOf(KubernetesCluster),
  kind: KubernetesCluster.kind,
  metadata: { name },
  spec: {
    ...{ kubernetesVersion: QUICK.kubernetes, talosVersion: QUICK.talos },
    clusterEndpoint: `https://${world.address(number)}:6443`,
    controlPlane: { replicas: 1 },
    workers: [{ name: 'pool', replicas: 1 }],
  },
})

const provide = (name: string, number: number) =>
  world.objects.patchStatus(ProvidedMachine, name, {
    ...{ phase: 'Running', publicIPAddresses: [world.address(number)] },
  })

const machineCount = async () => (await world.objects.list(ProvidedMachine)).length

test('R28: with MAX_CONCURRENT_RECONCILES of four, clusters come up side by side, each begun once, and go again', {
  timeout: LONG,
}, async () => {
  for (const [at, name] of NAMES.entries()) await world.objects.apply(shaped(name, 2 * at + 1))
  await world.until('all Machines', async () => (await machineCount()) === 6)
  await Promise.all(
    NAMES.flatMap((name, at) => [
      provide(`${name}-cp-0`, 2 * at + 1),
      provide(`${name}-pool-0`, 2 * at + 2),
    ]),
  )
  await world.until('all to be Ready', async () => {
    const said = NAMES.map((name) => conditionOf(world, [KubernetesCluster, name], 'Ready'))
    return (await Promise.all(said)).every((ready) => ready?.status === 'True')
  })

  expect(bootstrapsIn(world)).toBe(3)
  expect(await brokenInvariants(world)).toEqual([])
  for (const name of NAMES) await world.objects.remove(KubernetesCluster, name)
  await untilGone(world)
  expect(await machineCount()).toBe(0)
  expect(await brokenInvariants(world)).toEqual([])
})

test('R26, A13: a Machine that appears between the look and its making is skipped with a warning, left alone, and keeps nobody else waiting', {
  timeout: LONG,
}, async () => {
  const name = 'overtaken-cp-0'
  beforeActing = async (cluster) => {
    if (cluster !== 'overtaken' || (await world.objects.find(ProvidedMachine, name))) return
    await world.objects.create(ProvidedMachine, {
      ...{ metadata: { name }, spec: { machineClass: 'theirs' } },
    })
  }
  await world.objects.apply(shaped('overtaken', 1))
  await world.until('the other one', async () => {
    return (await world.objects.find(ProvidedMachine, 'overtaken-pool-0')) !== undefined
  })
  beforeActing = async () => undefined

  const told = world.log
    .map((line): Record<string, unknown> => Object(JSON.parse(line)))
    .filter(({ message }) => message === 'somebody was quicker')
  expect(told).toMatchObject([
    {
      ...{ level: 'warn', controller: 'KubernetesCluster', cluster: 'overtaken' },
      details: `Machine ${name} exists already: skipped, and looked at anew`,
    },
  ])
  expect((await world.objects.find(ProvidedMachine, name))?.spec).toEqual({
    machineClass: 'theirs',
  })
  const ready = await conditionOf(world, [KubernetesCluster, 'overtaken'], 'Ready')
  expect(ready).toMatchObject({ reason: 'OwnerReferenceFailed' })
})
