// Objects as the API serves them, for tests of what is made from them.

import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'

const API_VERSION = 'talos.alperen.cloud/v1alpha1'

type ControlPlaneSpec = NonNullable<ControlPlane['spec']>
type WorkerSpec = NonNullable<Worker['spec']>
type Spec = NonNullable<Machine['spec']>

export const aControlPlane = (
  spec: Partial<ControlPlaneSpec> = {},
  name = 'prod',
): ControlPlane => ({
  apiVersion: API_VERSION,
  kind: 'TalosControlPlane',
  metadata: { name, namespace: 'default', uid: `uid-of-${name}` },
  spec: {
    version: 'v1.13.0',
    kubeVersion: 'v1.35.0',
    mode: 'metal',
    endpoint: 'https://192.0.2.10:6443',
    clusterDomain: 'cluster.local',
    deletionPolicy: 'reset',
    rolloutStrategy: { type: 'RollingUpdate' },
    metalSpec: { machines: [{ address: '192.0.2.1' }] },
    ...spec,
  },
})

export const aWorker = (spec: Partial<WorkerSpec> = {}, name = 'pool'): Worker => ({
  apiVersion: API_VERSION,
  kind: 'TalosWorker',
  metadata: { name, namespace: 'default', uid: `uid-of-${name}` },
  spec: {
    version: 'v1.13.0',
    kubeVersion: 'v1.35.0',
    mode: 'metal',
    replicas: 1,
    controlPlaneRef: { name: 'prod' },
    deletionPolicy: 'reset',
    rolloutStrategy: { type: 'RollingUpdate' },
    metalSpec: { machines: [{ address: '192.0.2.21' }] },
    ...spec,
  },
})

export const aMachine = (spec: Partial<Spec> = {}, name = 'prod-192.0.2.1'): Machine => ({
  apiVersion: API_VERSION,
  kind: 'TalosMachine',
  metadata: { name, namespace: 'default' },
  spec: {
    endpoint: '192.0.2.1',
    version: 'v1.13.0',
    deletionPolicy: 'reset',
    ...spec,
  },
})

export const aMachineSpec = (
  spec: Partial<NonNullable<Spec['machineSpec']>> = {},
): NonNullable<Spec['machineSpec']> => ({
  wipe: false,
  airGap: false,
  imageCache: false,
  allowSchedulingOnControlPlanes: false,
  ...spec,
})
