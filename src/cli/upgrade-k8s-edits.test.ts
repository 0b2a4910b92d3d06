import { describe, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Worker } from '#api/worker.ts'
import { ownedBy } from '#runtime/controller.ts'
import { aCluster, aControlPlane, aKubernetesCluster, aWorker } from '#test/builders.ts'
import { editsFor, wordsForEdit } from './upgrade-k8s-edits.ts'

const field = (path: string) => ({ path, from: 'v1.35.0' })
const older = aWorker({ metadata: { name: 'older' }, spec: { kubeVersion: 'v1.34.0' } })
const alone = { controlPlane: aControlPlane(), pools: [aWorker(), older], clusters: [], shapes: [] }

test('a control plane is edited with the pools that ask for the same, and others keep theirs', () => {
  expect(editsFor(alone, 'v1.36.0')).toEqual({
    edits: [
      { kind: ControlPlane, name: 'prod', fields: [field('spec.kubeVersion')] },
      { kind: Worker, name: 'pool', fields: [field('spec.kubeVersion')] },
    ],
    ...{ followed: ['pool'], left: [older] },
  })
})

test('the parts of a TalosCluster are edited there, at once', () => {
  const cluster = aCluster()
  const metadata = { ownerReferences: [ownedBy(Cluster, cluster)] }
  const parts = {
    controlPlane: aControlPlane({ metadata }),
    pools: [aWorker({ metadata }), aWorker({ metadata: { name: 'of-its-own' } })],
    clusters: [cluster],
    shapes: [],
  }
  const { edits } = editsFor(parts, 'v1.36.0')

  expect(edits.map((edit) => wordsForEdit(edit, 'v1.36.0'))).toEqual([
    'TalosCluster prod: spec.controlPlane.kubeVersion v1.35.0 → v1.36.0, spec.worker.kubeVersion v1.35.0 → v1.36.0',
    'TalosWorker of-its-own: spec.kubeVersion v1.35.0 → v1.36.0',
  ])
})

test('a part that its TalosCluster only refers to is edited itself', () => {
  const { spec: _, ...cluster } = aCluster()
  const metadata = { ownerReferences: [ownedBy(Cluster, cluster)] }
  const { edits } = editsFor(
    { controlPlane: aControlPlane({ metadata }), pools: [], clusters: [cluster], shapes: [] },
    'v1.36.0',
  )

  expect(edits).toMatchObject([{ kind: ControlPlane, name: 'prod' }])
})

describe('of a cluster by its shape', () => {
  const shape = aKubernetesCluster({ spec: { kubernetesVersion: 'v1.35.0' } })
  const metadata = { ownerReferences: [ownedBy(KubernetesCluster, shape)] }
  const own = { controlPlane: aControlPlane({ metadata }), clusters: [], shapes: [shape] }

  test('its one version is edited, once, and its parts are not', () => {
    const pools = [aWorker({ metadata }), aWorker({ metadata: { name: 'of-its-own' } })]
    const { edits } = editsFor({ ...own, pools }, 'v1.36.0')

    expect(edits.map((edit) => wordsForEdit(edit, 'v1.36.0'))).toEqual([
      `KubernetesCluster ${shape.metadata.name}: spec.kubernetesVersion v1.35.0 → v1.36.0`,
      'TalosWorker of-its-own: spec.kubeVersion v1.35.0 → v1.36.0',
    ])
  })

  test('a pool of its own that has not been raised yet follows, too', () => {
    const behind = aWorker({ metadata, spec: { kubeVersion: 'v1.34.0' } })

    expect(editsFor({ ...own, pools: [behind] }, 'v1.36.0')).toMatchObject({
      ...{ followed: ['pool'], left: [], edits: [{ kind: KubernetesCluster }] },
    })
  })

  test('another one of the same name that does not own them is left alone', () => {
    const stranger = aKubernetesCluster({ metadata: { uid: 'another' } })
    const { edits } = editsFor({ ...own, pools: [], shapes: [stranger] }, 'v1.36.0')

    expect(edits).toMatchObject([{ kind: ControlPlane }])
  })
})

test('where it is asked for already nothing is edited', () => {
  expect(editsFor(alone, 'v1.35.0')).toEqual({ edits: [], followed: ['pool'], left: [older] })
})
