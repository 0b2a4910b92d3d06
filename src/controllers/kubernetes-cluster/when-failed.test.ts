import { expect, test } from 'vitest'
import { aKubernetesCluster } from '#test/builders.ts'
import { allMade, aWorldOf } from '#test/kubernetes-cluster-world.ts'
import { whenFailed } from './when-failed.ts'
import type { World } from './world.ts'

const cluster = aKubernetesCluster()
const refused = { code: 'MachineCreationError', message: 'refused' } as const
const other = { code: 'Forbidden', message: 'may not' } as const

const after = (failure: typeof refused | typeof other, over: Partial<World> = {}, of = cluster) =>
  whenFailed(failure, { resource: of, world: aWorldOf(of, over), tries: 0 })

test('R33: a Machine that could not be made or changed is told by MachinesCreated and by Ready', () => {
  const verdict = { ok: false, reason: 'CreationFailed', message: 'refused' }

  expect(after(refused, { machines: allMade(cluster).slice(0, 2) })).toMatchObject({
    status: { machineCount: 2 },
    conditions: { MachinesCreated: verdict, Ready: verdict },
  })
})

test('A8: while not even the first Machine could be made the cluster is pending, and failed when that was tried often enough', () => {
  const phaseAfter = (tries: number, machines = allMade(cluster).slice(0, 0)) =>
    whenFailed(refused, { resource: cluster, world: aWorldOf(cluster, { machines }), tries }).status

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
  expect(after(refused, { files }).conditions).not.toHaveProperty('FilesGenerated')
})

test('A18: so it does where it could not even be looked', () => {
  const unseen = { resource: cluster, world: undefined, tries: 0 }

  expect(whenFailed(other, unseen)).toEqual({
    conditions: { Ready: { ok: false, reason: 'MachinesNotReady', message: 'may not' } },
  })
})

test('A18: whatever else fails, Ready says it in one of its own words', () => {
  const leaving = aKubernetesCluster({ metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } })

  expect(after(other).conditions?.Ready).toMatchObject({ reason: 'MachinesNotReady' })
  expect(after(other, {}, leaving).conditions).toEqual({
    Ready: { ok: false, reason: 'Deleting', message: 'may not' },
  })
})
