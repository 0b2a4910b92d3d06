import type { KindCases, Spec } from './cases.ts'
import { machinePoolCases } from './machine-pool.cases.ts'

/** A pool of one machine, with nothing that could be left out. */
const metal = (changes: Spec = {}): Spec => ({
  mode: 'metal',
  metalSpec: { machines: [{ address: '10.0.0.2' }] },
  ...changes,
})

const pool = machinePoolCases(metal)

export const workerCases: KindCases = {
  accepted: [
    {
      title: 'metal mode with a machine by its address; all defaults are filled in',
      spec: metal(),
      becomes: {
        version: 'v1.13.0',
        kubeVersion: 'v1.35.0',
        replicas: 1,
        deletionPolicy: 'reset',
        rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      },
    },
    {
      title: 'metal mode with an empty list of machines',
      spec: metal({ metalSpec: { machines: [] } }),
    },
    { title: 'metal mode without a list of machines', spec: metal({ metalSpec: {} }) },
    {
      title: 'container mode without replicas, which means one',
      spec: { mode: 'container' },
      becomes: { replicas: 1 },
    },
    {
      title: 'metal mode with no replicas, which do not count there',
      spec: metal({ replicas: 0 }),
      becomes: { replicas: 0 },
    },
    {
      title: 'the control plane by its name',
      spec: metal({ controlPlaneRef: { name: 'prod' } }),
      becomes: { controlPlaneRef: { name: 'prod' } },
    },
    {
      title: 'a control plane without a name',
      spec: metal({ controlPlaneRef: {} }),
      becomes: { controlPlaneRef: { name: '' } },
    },
    {
      title: 'a storage class where there was none',
      from: metal(),
      spec: metal({ storageClassName: 'fast-ssd' }),
    },
    {
      title: 'no storage class where there was one: the published rule compares two values',
      from: metal({ storageClassName: 'fast-ssd' }),
      spec: metal(),
      drops: ['storageClassName'],
    },
    ...pool.accepted,
  ],
  refused: [
    {
      title: 'metal mode without metalSpec',
      spec: { mode: 'metal' },
      at: 'spec',
      says: "MetalSpec is required when mode 'metal'",
    },
    {
      title: 'another storage class later on',
      from: metal({ storageClassName: 'fast-ssd' }),
      spec: metal({ storageClassName: 'slow-hdd' }),
      at: 'spec.storageClassName',
      says: 'StorageClassName is immutable, you cannot change it after creation',
    },
    {
      title: 'replicas as text',
      spec: { mode: 'container', replicas: '3' },
      at: 'spec.replicas',
      says: 'must be of type integer',
    },
    {
      title: 'a control plane as bare text',
      spec: metal({ controlPlaneRef: 'prod' }),
      at: 'spec.controlPlaneRef',
      says: 'must be of type object',
    },
    ...pool.refused,
  ],
}
