import { expect, test } from 'vitest'
import { FORCE_DELETION, RECONCILE_MODE } from '#api/labels.ts'
import { aControlPlane, aKubernetesCluster, aMachine, aWorker } from '#test/builders.ts'
import { allMade, aWorldOf, NO_PARTS, saying } from '#test/kubernetes-cluster-world.ts'
import { teardownEvery } from './teardown.ts'
import type { World } from './world.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const teardown = teardownEvery(30_000)
const NO_FILES = { stale: [], surplus: [] }

const cluster = aKubernetesCluster({ status: { phase: 'Running' } })
const after = (over: Partial<World>, of = cluster) =>
  teardown(of, aWorldOf(of, { files: NO_FILES, ...over }), NOW)
const deeds = (over: Partial<World>, of = cluster) => {
  const plan = after(over, of)
  return 'steps' in plan
    ? plan.steps.map((step) => `${step.do} ${'name' in step ? step.name : ''}`)
    : []
}

test('A20: workers go before the control plane, that before the Machines, these before the files', () => {
  const machines = allMade(cluster)
  const files = { stale: [], surplus: ['prod-cp-0.yaml'] }
  const workers = [aWorker()]
  const controlPlane = aControlPlane()

  expect(deeds({ machines, files, talos: { ...NO_PARTS, workers, controlPlane } })).toEqual([
    'removePart pool',
  ])
  expect(deeds({ machines, files, talos: { ...NO_PARTS, controlPlane } })).toEqual([
    'removePart prod',
  ])
  expect(deeds({ machines, files })).toEqual(Array(5).fill('removeMachine '))
  expect(deeds({ files })).toEqual(['removeFiles '])
  expect(after({})).toEqual({ finished: true, notices: [] })
})

test('A8: the phase stays what it was, and Ready says what is still there', () => {
  expect(after({ machines: allMade(cluster) })).toMatchObject({
    status: { phase: 'Running', machineCount: 5 },
    conditions: { Ready: { ok: false, reason: 'Deleting' } },
  })
})

test('A20: a Machine that does not go is told of with what its provider says, and what can be done', () => {
  const machines = allMade(cluster).map((machine) =>
    saying(machine, { phase: 'Terminating', message: 'a volume is in use' }),
  )
  const plan = after({ machines })
  const message = 'conditions' in plan ? plan.conditions.Ready?.message : ''

  expect(message).toContain('prod-cp-0 (Terminating, a volume is in use)')
  expect(message).toContain('or remove their finalizers')
})

test('who is to go by force takes its parts along by force', () => {
  const forced = aKubernetesCluster({ metadata: { annotations: { [FORCE_DELETION]: 'true' } } })
  const talos = { ...NO_PARTS, controlPlane: aControlPlane() }

  expect(deeds({ talos }, forced)).toEqual(['forcePart prod', 'removePart prod'])
})

test('machines whose Machine went before them are let go, the workers first', () => {
  const deletionTimestamp = '2030-01-01T00:00:00Z'
  const leaving = (name: string, spec: object) =>
    aMachine({ metadata: { name, deletionTimestamp }, spec: Object(spec) })
  const machines = [
    leaving('prod-prod-cp-0', { controlPlaneRef: { name: 'prod' } }),
    leaving('pool-prod-workers-0', { workerRef: { name: 'pool' } }),
  ]
  const controlPlane = aControlPlane({ metadata: { deletionTimestamp } })
  const workers = [aWorker({ metadata: { deletionTimestamp } })]

  expect(deeds({ talos: { controlPlane, workers, machines } })).toEqual([
    'forceTalosMachine pool-prod-workers-0',
  ])
  expect(deeds({ talos: { controlPlane, workers: [], machines } })).toEqual([
    ...['forceTalosMachine prod-prod-cp-0', 'forceTalosMachine pool-prod-workers-0'],
  ])
  expect(deeds({ talos: { controlPlane, workers, machines }, gone: [] })).toEqual([])
})

test('a part that is not to be worked on is said to hold it up', () => {
  const metadata = { annotations: { [RECONCILE_MODE]: 'disable' } }
  const message = 'TalosWorker pool has the reconcile-mode disable: remove that annotation to go on'

  expect(after({ talos: { ...NO_PARTS, workers: [aWorker({ metadata })] } })).toMatchObject({
    conditions: { Ready: { message } },
  })
})

test('what the API has and no cache shows is waited for', () => {
  expect(after({ leftUnseen: 'Machine prod-cp-0' })).toMatchObject({
    ...{ steps: [], wakeAt: new Date('2030-01-01T00:00:05Z') },
  })
})

test('A20: files are tried so often, and then left with a warning', () => {
  const trouble = (tries: number, retryAt: string) => ({
    files: { ...NO_FILES, trouble: { message: 'read-only', tries, retryAt: new Date(retryAt) } },
  })

  expect(after(trouble(3, '2030-01-01T00:00:04Z'))).toMatchObject({
    ...{ steps: [], wakeAt: new Date('2030-01-01T00:00:04Z') },
  })
  expect(deeds(trouble(3, '2030-01-01T00:00:00Z'))).toEqual(['removeFiles '])
  expect(after(trouble(10, '2030-01-01T00:05:00Z'))).toMatchObject({
    ...{ finished: true, notices: [{ type: 'Warning', reason: 'FilesLeft' }] },
  })
})
