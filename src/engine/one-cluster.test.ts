import { expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { EtcdBackup } from '#api/etcd-backup.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind, Kind, KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { keyOf } from '#kube/cache.ts'
import { ownedBy } from '#runtime/controller.ts'
import {
  aCluster,
  aControlPlane,
  aKubernetesCluster,
  aMachine,
  aWorker,
  aWorkerMachine,
} from '#test/builders.ts'
import { oneCluster } from './one-cluster.ts'

const metadata = { name: 'other' }
const elsewhere = { namespace: 'elsewhere' }
const controlPlaneRef = { name: 'other' }
const referring = () => {
  const { spec: _, ...rest } = aCluster({ metadata: { name: 'referring' } })
  return { ...rest, spec: { controlPlaneRef: { name: 'prod' } } }
}

const inside: [Kind, KubeObject][] = [
  [ControlPlane, aControlPlane({ metadata: { ownerReferences: [ownedBy(Cluster, aCluster())] } })],
  [Cluster, aCluster()],
  [Cluster, referring()],
  [Worker, aWorker()],
  [Machine, aMachine()],
  [Machine, aWorkerMachine()],
]
const outside: [Kind, KubeObject][] = [
  [ControlPlane, aControlPlane({ metadata })],
  [Cluster, aCluster({ metadata })],
  [Worker, aWorker({ metadata, spec: { controlPlaneRef } })],
  [Machine, aMachine({ metadata, spec: { controlPlaneRef } })],
  [Machine, aWorkerMachine({ metadata: { name: 'of-other' }, spec: { workerRef: metadata } })],
  [Machine, aWorkerMachine({ metadata: { name: 'of-none' }, spec: { workerRef: { name: '-' } } })],
  // The same names, in another namespace.
  [ControlPlane, aControlPlane({ metadata: elsewhere })],
  [Cluster, aCluster({ metadata: elsewhere })],
  [Worker, aWorker({ metadata: elsewhere })],
  [Machine, aMachine({ metadata: elsewhere })],
  [Machine, aWorkerMachine({ metadata: elsewhere })],
  // What nobody works on for an upgrade.
  [EtcdBackup, { metadata: { name: 'prod', namespace: 'default' } }],
]

const scope = oneCluster({ namespace: 'default', name: 'prod' })
const watching = (all: readonly [Kind, KubeObject][]) => ({
  get: (kind: ApiKind, key: string) =>
    all.find(([one, object]) => one === kind && keyOf(object) === key)?.[1] as never, // of that kind
})
const words = ([kind, object]: [Kind, KubeObject]) => `${kind.kind} ${keyOf(object)}`

test('a control plane, its cluster, its pools and all their machines belong together, and nothing else does', () => {
  const all = [...inside, ...outside]
  const watches = watching(all)
  const found = all.filter(([kind, object]) => scope(kind, keyOf(object), watches))

  expect(found.map(words)).toEqual(inside.map(words))
})

test('a cluster by its shape belongs to the control plane that it owns, and to no other', () => {
  const shape = aKubernetesCluster()
  const ownerReferences = [ownedBy(KubernetesCluster, shape)]
  const all: [Kind, KubeObject][] = [
    [ControlPlane, aControlPlane({ metadata: { ownerReferences } })],
    [KubernetesCluster, shape],
    [KubernetesCluster, aKubernetesCluster({ metadata })],
    [KubernetesCluster, aKubernetesCluster({ metadata: elsewhere })],
    // Of the same name, and no owner of it.
    [Cluster, aCluster({ metadata: { name: shape.metadata.name } })],
  ]
  const watches = watching(all)
  const found = all.filter(([kind, object]) => scope(kind, keyOf(object), watches))

  expect(found.map(words)).toEqual([
    ...['TalosControlPlane default/prod', `KubernetesCluster default/${shape.metadata.name}`],
  ])
})

test('what is not seen to belong to it does not', () => {
  const watches = watching([])
  const found = inside.filter(([kind, object]) => scope(kind, keyOf(object), watches))

  expect(found.map(words)).toEqual(['TalosControlPlane default/prod'])
})
