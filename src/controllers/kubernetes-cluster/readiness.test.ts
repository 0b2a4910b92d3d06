import { expect, test } from 'vitest'
import { aKubernetesCluster } from '#test/builders.ts'
import { placed, runningWith } from '#test/kubernetes-cluster-parts.ts'
import { allMade, aWorldOf, saying } from '#test/kubernetes-cluster-world.ts'
import { readinessOf, statusOf } from './readiness.ts'
import type { World } from './world.ts'

const cluster = aKubernetesCluster()
const all = allMade(cluster)

const said = (world: World) => ({
  ...statusOf(world, world.machines.length),
  ready: readinessOf(world),
})

test('A8, A9: a cluster of which each Machine has joined and is ready is running', () => {
  expect(said(runningWith(cluster, all))).toMatchObject({
    ...{ phase: 'Running', controlPlaneReady: true, workersReady: 2 },
    ready: { ok: true, reason: 'ClusterReady' },
  })
})

/** The world of a cluster that had only some of its Machines, and whose provider has nothing to say of the others. */
function withSilent(...names: string[]): World {
  const there = all.filter(({ metadata }) => !names.includes(metadata.name))
  const silent = all.filter(({ metadata }) => names.includes(metadata.name))
  const { talos } = runningWith(cluster, there)
  const machines = [...placed(there), ...silent]
  return aWorldOf(cluster, { machines, talos, files: { stale: [], surplus: [] } })
}

test('A9: control planes of which a provider says nothing are waited for by their names, however well the others are', () => {
  expect(said(withSilent('prod-cp-1', 'prod-cp-2'))).toMatchObject({
    ...{ phase: 'Provisioning', controlPlaneReady: false, workersReady: 2 },
    ready: {
      ...{ ok: false, reason: 'MachinesNotReady' },
      message:
        'these have not joined: prod-cp-1 (no address: its provider has not said anything of it yet), prod-cp-2 (no address: its provider has not said anything of it yet)',
    },
  })
})

test('A9: so are workers, and the control plane is ready without them', () => {
  expect(said(withSilent('prod-workers-1'))).toMatchObject({
    ...{ phase: 'Provisioning', controlPlaneReady: true, workersReady: 1 },
    ready: {
      message: expect.stringContaining('these have not joined: prod-workers-1 (no address'),
    },
  })
})

test('one that has its address, and is in no list yet, is about to join', () => {
  const world = withSilent('prod-workers-1')
  const machines = world.machines.map((machine) =>
    machine.metadata.name === 'prod-workers-1'
      ? saying(machine, { phase: 'Running', ipAddresses: ['192.0.2.9'] })
      : machine,
  )

  expect(readinessOf({ ...world, machines }).message).toBe(
    'these have not joined: prod-workers-1 (about to join)',
  )
})

test('A38: a Machine that somebody deleted is waited for, though what stood for it is well', () => {
  const world = runningWith(cluster, all)
  const machines = world.machines.filter(({ metadata }) => metadata.name !== 'prod-workers-0')

  expect(said({ ...world, machines, lost: ['prod-workers-0'] })).toMatchObject({
    phase: 'Provisioning',
    ready: { message: 'these have not joined: prod-workers-0 (there is no Machine yet)' },
  })
})
