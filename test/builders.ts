// Objects of our kinds, complete as the API serves them. What a test is about it says itself.

import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import { apiVersionOf, type Kind, type ObjectMeta } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'

/** What differs from the ordinary; each part is laid over it field by field, and no deeper. */
export interface Overrides<Object extends { spec?: object; status?: object }> {
  metadata?: Partial<ObjectMeta>
  spec?: Partial<NonNullable<Object['spec']>>
  status?: NonNullable<Object['status']>
}

const CREATED = '2026-01-01T00:00:00Z'
const TALOS = 'v1.13.0'
const KUBERNETES = 'v1.35.0'
const ROLLOUT = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } as const

/** `prod`, of one machine at 192.0.2.1, in metal mode. */
export const aControlPlane = (over: Overrides<ControlPlane> = {}): ControlPlane => ({
  ...identity(ControlPlane, 'prod', over.metadata),
  spec: {
    version: TALOS,
    kubeVersion: KUBERNETES,
    mode: 'metal',
    endpoint: 'https://192.0.2.10:6443',
    clusterDomain: 'cluster.local',
    deletionPolicy: 'reset',
    rolloutStrategy: ROLLOUT,
    metalSpec: { machines: [{ address: '192.0.2.1' }] },
    ...over.spec,
  },
  ...(over.status && { status: over.status }),
})

/** `pool`, of one machine at 192.0.2.21, that joins `prod`. */
export const aWorker = (over: Overrides<Worker> = {}): Worker => ({
  ...identity(Worker, 'pool', over.metadata),
  spec: {
    version: TALOS,
    kubeVersion: KUBERNETES,
    mode: 'metal',
    replicas: 1,
    controlPlaneRef: { name: 'prod' },
    deletionPolicy: 'reset',
    rolloutStrategy: ROLLOUT,
    metalSpec: { machines: [{ address: '192.0.2.21' }] },
    ...over.spec,
  },
  ...(over.status && { status: over.status }),
})

/** `prod-192.0.2.1`, a machine of the control plane `prod`. */
export const aMachine = (over: Overrides<Machine> = {}): Machine => ({
  ...identity(Machine, 'prod-192.0.2.1', over.metadata),
  spec: {
    endpoint: '192.0.2.1',
    version: TALOS,
    controlPlaneRef: { name: 'prod' },
    deletionPolicy: 'reset',
    ...over.spec,
  },
  ...(over.status && { status: over.status }),
})

/** `pool-192.0.2.21`, a machine of the pool `pool`. */
export const aWorkerMachine = (over: Overrides<Machine> = {}): Machine => ({
  ...identity(Machine, 'pool-192.0.2.21', over.metadata),
  spec: {
    endpoint: '192.0.2.21',
    version: TALOS,
    workerRef: { name: 'pool' },
    deletionPolicy: 'reset',
    ...over.spec,
  },
  ...(over.status && { status: over.status }),
})

/** `prod`, with a control plane and a pool written into it. */
export const aCluster = (over: Overrides<Cluster> = {}): Cluster => {
  const { spec: controlPlane } = aControlPlane()
  const { spec: worker } = aWorker()
  return {
    ...identity(Cluster, 'prod', over.metadata),
    spec: {
      ...(controlPlane && { controlPlane }),
      ...(worker && { worker }),
      ...over.spec,
    },
    ...(over.status && { status: over.status }),
  }
}

function identity(kind: Kind, name: string, metadata: Partial<ObjectMeta> = {}) {
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-of-${kind.stem}-${metadata.name ?? name}`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: CREATED,
      ...metadata,
    },
  }
}

/** `prod`: three control planes and two workers in the group `workers`. */
export const aKubernetesCluster = (over: Overrides<KubernetesCluster> = {}): KubernetesCluster => ({
  ...identity(KubernetesCluster, 'prod', over.metadata),
  spec: {
    kubernetesVersion: KUBERNETES,
    talosVersion: TALOS,
    clusterEndpoint: 'https://192.0.2.10:6443',
    controlPlane: { replicas: 3 },
    workers: [{ name: 'workers', replicas: 2 }],
    ...over.spec,
  },
  ...(over.status && { status: over.status }),
})

/** `prod-cp-0`, as a provider sees it. */
export const aProvidedMachine = (over: Overrides<ProvidedMachine> = {}): ProvidedMachine => ({
  ...identity(ProvidedMachine, 'prod-cp-0', over.metadata),
  spec: { ...over.spec },
  ...(over.status && { status: over.status }),
})
