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

const stated = (type: string, status: 'True' | 'False' = 'True') => ({
  ...{ type, status, reason: `${type}WasSo`, message: 'it was so' },
  lastTransitionTime: '2030-01-01T00:00:00Z',
})

test('R34, A8: the other conditions stay as they were, too', () => {
  const conditions = [
    ...[stated('Ready'), stated('TopologyValid', 'False')],
    ...[stated('MachinesCreated'), stated('FilesGenerated')],
  ]
  const leaving = aKubernetesCluster({ status: { phase: 'Running', conditions } })
  const was = (type: string, ok = true) => ({
    ...{ ok, reason: `${type}WasSo`, message: 'it was so' },
  })

  expect(after({ machines: allMade(cluster) }, leaving)).toMatchObject({
    conditions: {
      ...{ Ready: { ok: false, reason: 'Deleting' }, TopologyValid: was('TopologyValid', false) },
      ...{ MachinesCreated: was('MachinesCreated'), FilesGenerated: was('FilesGenerated') },
    },
  })
})

test('R34: while files cannot be removed FilesGenerated says so, between two tries as in them', () => {
  const conditions = [stated('FilesGenerated')]
  const leaving = aKubernetesCluster({ status: { phase: 'Running', conditions } })
  const trouble = { message: 'read-only', tries: 3, retryAt: new Date('2030-01-01T00:00:04Z') }
  const at = (time: string) =>
    teardown(
      leaving,
      aWorldOf(leaving, { files: { ...NO_FILES, surplus: ['a.yaml'], trouble } }),
      new Date(time),
    )
  const failed = {
    ...{ FilesGenerated: { ok: false, reason: 'GenerationFailed', message: 'read-only' } },
    Ready: { ok: false, reason: 'Deleting', message: 'read-only' },
  }

  expect(at('2030-01-01T00:00:00Z')).toMatchObject({ steps: [], conditions: failed })
  expect(at('2030-01-01T00:00:04Z')).toMatchObject({
    ...{ steps: [{ do: 'removeFiles' }], conditions: failed },
  })
})

test('very many files are removed in several steps', () => {
  const surplus = Array.from({ length: 120 }, (_, at) => `prod-workers-${at}.yaml`)

  expect(after({ files: { ...NO_FILES, surplus } })).toMatchObject({
    steps: [{ do: 'removeFiles', files: surplus.slice(0, 50) }],
  })
})

test('A33: a part that has the Machine of somebody else is not removed, but by force', () => {
  const workers = [aWorker()]
  const taken = [{ what: 'Machine prod-workers-0', owner: 'KubernetesCluster other' }]
  const over = { talos: { ...NO_PARTS, workers }, taken }
  const forced = aKubernetesCluster({ metadata: { annotations: { [FORCE_DELETION]: 'true' } } })
  const waiting = after(over)
  const message = 'conditions' in waiting ? waiting.conditions.Ready?.message : ''

  expect(deeds(over)).toEqual([])
  expect(message).toContain('Machine prod-workers-0 is there, and belongs to KubernetesCluster')
  expect(message).toContain(`${FORCE_DELETION}=true`)
  expect(deeds(over, forced)).toEqual(['forcePart pool', 'removePart pool'])
  const leaving = [aWorker({ metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } })]
  expect(after({ ...over, talos: { ...NO_PARTS, workers: leaving } })).toMatchObject({
    conditions: { Ready: { message: expect.stringContaining('TalosWorker pool') } },
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
