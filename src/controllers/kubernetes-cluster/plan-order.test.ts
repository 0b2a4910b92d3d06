import { expect, test } from 'vitest'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { KubernetesCluster as KubernetesClusterKind } from '#api/kubernetes-cluster.ts'
import { ROLE } from '#api/labels.ts'
import { ownedBy } from '#runtime/controller.ts'
import { aKubernetesCluster, aProvidedMachine } from '#test/builders.ts'
import { afterStep, allMade, aWorldOf, saying } from '#test/kubernetes-cluster-world.ts'
import { planEvery } from './plan.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const plan = planEvery(30_000)
const cluster = aKubernetesCluster()

const stated = (type: string, reason: string) => ({
  ...{ type, status: 'True' as const, reason, message: 'it was so' },
  lastTransitionTime: '2030-01-01T00:00:00Z',
})

const SAID: NonNullable<KubernetesCluster['status']> = {
  conditions: [
    stated('MachinesCreated', 'CreationSucceeded'),
    stated('FilesGenerated', 'GenerationSucceeded'),
  ],
}

test('a cluster that runs is looked after before more Machines are made, which may be refused for good', () => {
  const machines = allMade(cluster).map((machine, at) =>
    saying(machine, { ipAddresses: [`192.0.2.${at + 1}`] }),
  )
  const before = aWorldOf(cluster, { machines, files: { stale: [], surplus: [] } })
  const first = plan(cluster, before, NOW).steps.find((step) => step.do === 'applyControlPlane')
  const { talos } = first ? afterStep(cluster, before, first) : before
  const larger = aKubernetesCluster({
    spec: { talosVersion: 'v1.6.8', workers: [{ name: 'workers', replicas: 3 }] },
  })
  const surplus = aProvidedMachine({
    metadata: {
      ...{ name: 'prod-old-0', labels: { [ROLE]: 'worker' } },
      ownerReferences: [ownedBy(KubernetesClusterKind, cluster)],
    },
  })
  const world = aWorldOf(larger, { machines: [...machines, surplus], talos })

  expect(plan(larger, world, NOW).steps.map((step) => step.do)).toEqual([
    ...['removeMachine', 'applyControlPlane', 'applyWorker', 'createMachine', 'writeFiles'],
  ])
})

test('a wrong edit changes nothing of what is observed of Machines that run, nor what was said of them', () => {
  const wrong = aKubernetesCluster({ spec: { controlPlane: { replicas: 2 } }, status: SAID })
  const machines = allMade(cluster).map((machine) => saying(machine, { phase: 'Running' }))
  const names = machines.map(({ metadata }) => `${metadata.name}.yaml`)
  const world = aWorldOf(wrong, { machines, files: { stale: [], surplus: names } })

  expect(plan(wrong, world, NOW)).toMatchObject({
    ...{ steps: [], failure: { code: 'ValidationError' } },
    status: { phase: 'Failed', controlPlaneReady: true, workersReady: 2, machineCount: 5 },
    conditions: {
      MachinesCreated: { ok: true, reason: 'CreationSucceeded', message: 'it was so' },
      FilesGenerated: { ok: true, reason: 'GenerationSucceeded', message: 'it was so' },
    },
  })
})

test('of a spec that was wrong from the beginning nothing is said of Machines or files', () => {
  const wrong = aKubernetesCluster({ spec: { controlPlane: { replicas: 2 } } })

  expect(Object.keys(plan(wrong, aWorldOf(wrong), NOW).conditions)).toEqual([
    ...['TopologyValid', 'Ready'],
  ])
})
