import { expect, test } from 'vitest'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Failure } from '#runtime/plan.ts'
import { aKubernetesCluster } from '#test/builders.ts'
import { allMade, aWorldOf } from '#test/kubernetes-cluster-world.ts'
import { whenFailed } from './when-failed.ts'
import type { World } from './world.ts'

const cluster = aKubernetesCluster()
const refused = { code: 'MachineCreationError', message: 'refused' } as const
const other = { code: 'Forbidden', message: 'may not' } as const

interface After {
  over?: Partial<World>
  of?: KubernetesCluster
  made?: readonly string[]
}

const after = (failure: Failure, { over = {}, of = cluster, made = [] }: After = {}) =>
  whenFailed(failure, { resource: of, world: aWorldOf(of, over), made, tries: 0 })

test('R33: a Machine that could not be made or changed is told by MachinesCreated and by Ready', () => {
  const verdict = { ok: false, reason: 'CreationFailed', message: 'refused' }

  expect(after(refused, { over: { machines: allMade(cluster).slice(0, 2) } })).toMatchObject({
    status: { machineCount: 2 },
    conditions: { MachinesCreated: verdict, Ready: verdict },
  })
})

test('R14, R33: whatever fails before Machines are made, none of these is counted or said to be there', () => {
  const machines = allMade(cluster).slice(0, 3)
  const unmade = {
    ...{ ok: false, reason: 'CreationFailed' },
    message: '2 Machines are not made yet: something else failed before, as Ready says',
  }

  expect(after(other, { over: { machines } })).toMatchObject({
    status: { machineCount: 3 },
    conditions: { MachinesCreated: unmade, Ready: { reason: 'MachinesNotReady' } },
  })
  expect(after(other).status).toEqual({ machineCount: 0, phase: 'Pending' })
})

test('R14: whatever fails after that, those that were made are', () => {
  const made = allMade(cluster).map(({ metadata }) => metadata.name)

  expect(after(other, { made }).status).toEqual({ machineCount: 5 })
  expect(after(other, { made }).conditions).not.toHaveProperty('MachinesCreated')
  expect(after(refused, { made: made.slice(0, 2) })).toMatchObject({
    status: { machineCount: 2 },
    conditions: { MachinesCreated: { reason: 'CreationFailed', message: 'refused' } },
  })
})

test('R33: why Machines cannot be made stays what it was, whatever fails besides', () => {
  const taken = [{ what: 'Machine prod-cp-0', owner: 'KubernetesCluster other' }]

  expect(after(other, { over: { taken } }).conditions).not.toHaveProperty('MachinesCreated')
})

test('R33, A11: who owns what is made has to be known', () => {
  const unknown = { code: 'OwnerReferenceError', message: 'prod has no uid' } as const

  expect(
    whenFailed(unknown, { resource: cluster, world: undefined, made: [], tries: 0 }),
  ).toMatchObject({
    conditions: {
      MachinesCreated: { ok: false, reason: 'CreationFailed', message: 'prod has no uid' },
      Ready: { ok: false, reason: 'OwnerReferenceFailed', message: 'prod has no uid' },
    },
  })
})

test('A8: while not even the first Machine could be made the cluster is pending, and failed when that was tried often enough', () => {
  const phaseAfter = (tries: number, machines = allMade(cluster).slice(0, 0)) =>
    whenFailed(refused, {
      ...{ resource: cluster, world: aWorldOf(cluster, { machines }) },
      ...{ made: [], tries },
    }).status

  expect(phaseAfter(1)).toEqual({ machineCount: 0, phase: 'Pending' })
  expect(phaseAfter(10)).toEqual({ machineCount: 0, phase: 'Failed' })
  // With some there it is as the plan says.
  expect(phaseAfter(1, allMade(cluster).slice(0, 1))).toEqual({ machineCount: 1 })
  expect(phaseAfter(10, allMade(cluster).slice(0, 1))).toMatchObject({ phase: 'Failed' })
})

test('R34: files that the pass did not get to are not said to be written', () => {
  const unwritten = { ok: false, reason: 'GenerationFailed' }

  expect(after(refused).conditions?.FilesGenerated).toMatchObject(unwritten)
  expect(after(other).conditions?.FilesGenerated).toMatchObject(unwritten)
  const files = { stale: [], surplus: [] }
  expect(after(refused, { over: { files } }).conditions).not.toHaveProperty('FilesGenerated')
})

test('A18: so it does where it could not even be looked', () => {
  const unseen = { resource: cluster, world: undefined, made: [], tries: 0 }

  expect(whenFailed(other, unseen)).toEqual({
    conditions: { Ready: { ok: false, reason: 'MachinesNotReady', message: 'may not' } },
  })
})

test('A18: whatever else fails, Ready says it in one of its own words', () => {
  const leaving = aKubernetesCluster({ metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } })

  expect(after(other).conditions?.Ready).toMatchObject({ reason: 'MachinesNotReady' })
  expect(after(other, { of: leaving }).conditions).toEqual({
    Ready: { ok: false, reason: 'Deleting', message: 'may not' },
  })
})
