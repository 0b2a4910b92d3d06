import { afterEach, beforeEach, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { isShapedReady, machineNames, SHAPED, shaped } from './shaped-cluster.ts'
import { untilGone } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const CLUSTER = [KubernetesCluster, SHAPED] as const

let world: World
beforeEach(async () => {
  world = await aWorld({ subnet: '127.80.78', machines: 0, versions: QUICK })
  await world.provider([1, 2, 3, 4, 5])
  await world.objects.apply(shaped(world, { controlPlanes: 3, workers: 1 }))
  await world.until('it to be Ready', () => isShapedReady(world, 4))
}, LONG)
afterEach(() => world[Symbol.asyncDispose](), LONG)

const nothingIsLeft = async () => {
  await untilGone(world)
  expect(await machineNames(world)).toEqual([])
}

test('a cluster goes with its namespace, though its Machines go before anybody could be reset', {
  timeout: LONG,
}, async () => {
  // As whoever ends a namespace does it: kind by kind, whatever belongs to whom.
  for (const kind of [ProvidedMachine, Secret, Machine, Worker, ControlPlane, KubernetesCluster]) {
    const all = await world.objects.list(kind)
    for (const { metadata } of all) await world.objects.remove(kind, metadata.name)
  }

  await nothingIsLeft()
})

test('a cluster that is deleted in the foreground takes its Machines along first, and goes all the same', {
  timeout: LONG,
}, async () => {
  await world.objects.remove(...CLUSTER, 'Foreground')

  await nothingIsLeft()
})

test('a cluster is deleted right after a worker and a control plane of it: the others are reset as usual', {
  timeout: LONG,
}, async () => {
  await world.objects.remove(ProvidedMachine, 'one-pool-0')
  await world.objects.remove(ProvidedMachine, 'one-cp-2')
  await world.objects.remove(...CLUSTER)

  await nothingIsLeft()
  expect(resetsIn(world)).toBe(2)
})
