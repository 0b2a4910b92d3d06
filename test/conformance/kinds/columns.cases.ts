// One object of each kind, and what `kubectl get` shows of it.

import { expect } from 'vitest'
import { Addon } from '#api/addon.ts'
import { AddonRelease } from '#api/addon-release.ts'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { EtcdBackup } from '#api/etcd-backup.ts'
import { EtcdBackupSchedule } from '#api/etcd-backup-schedule.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { Kind } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import type { Spec, Status } from './cases.ts'

interface Row {
  kind: Kind
  spec: Spec
  status: Status
  /** By the name of the column, beside the object's own name. */
  cells: Record<string, unknown>
}

const Age = expect.stringMatching(/^\d+s$/)

const HOUR_MS = 3_600_000
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString()

const condition = (type: string, status: string): Status => ({
  type,
  status,
  reason: 'AsItIs',
  message: '',
  lastTransitionTime: '2030-01-01T00:00:00Z',
})

const pool: Spec = {
  mode: 'metal',
  version: 'v1.13.1',
  kubeVersion: 'v1.35.2',
  metalSpec: { machines: [{ address: '10.0.0.1' }] },
}
const helmSpec: Spec = {
  chartName: 'metallb',
  repoURL: 'https://metallb.github.io/metallb',
  version: '0.14.9',
}
const backup: Spec = {
  talosControlPlaneRef: { name: 'prod' },
  backupStorage: {
    s3: {
      bucket: 'backups',
      region: 'north',
      accessKeyID: { name: 's3', key: 'id' },
      secretAccessKey: { name: 's3', key: 'secret' },
    },
  },
}

export const allRows: readonly Row[] = [
  {
    kind: Cluster,
    spec: {},
    status: { conditions: [condition('Progressing', 'True'), condition('Ready', 'False')] },
    cells: { Ready: 'False', Age },
  },
  {
    kind: ControlPlane,
    spec: pool,
    status: { state: 'Bootstrapped' },
    cells: {
      State: 'Bootstrapped',
      Version: 'v1.13.1',
      KubeVersion: 'v1.35.2',
      Mode: 'metal',
      Age,
    },
  },
  {
    kind: Worker,
    spec: pool,
    status: { state: 'Pending' },
    cells: { State: 'Pending', Version: 'v1.13.1', Mode: 'metal', Age },
  },
  {
    kind: Machine,
    spec: { endpoint: '10.0.0.1', version: 'v1.13.1' },
    status: { state: 'Installing' },
    cells: { State: 'Installing', Version: 'v1.13.1', Endpoint: '10.0.0.1', Age },
  },
  {
    kind: Addon,
    spec: { helmSpec },
    status: {},
    cells: { Chart: 'metallb', Version: '0.14.9', Age },
  },
  {
    kind: AddonRelease,
    spec: { clusterRef: { name: 'prod' }, helmSpec },
    status: {},
    cells: { Cluster: 'prod', Chart: 'metallb', Age },
  },
  {
    kind: EtcdBackup,
    spec: backup,
    status: { filename: 'backups/prod/one.db' },
    cells: { Filename: 'backups/prod/one.db', Age },
  },
  {
    kind: EtcdBackupSchedule,
    spec: { schedule: '0 2 * * *', paused: true, backupTemplate: { spec: backup } },
    status: { lastSuccessfulBackupTime: hoursAgo(72), nextScheduleTime: '2099-01-01T02:00:00Z' },
    cells: {
      Schedule: '0 2 * * *',
      'Last Backup': '3d',
      'Next Backup': '2099-01-01T02:00:00Z',
      Paused: true,
    },
  },
  {
    kind: KubernetesCluster,
    spec: { kubernetesVersion: 'v1.28.3', talosVersion: 'v1.5.5' },
    status: { phase: 'Provisioning', machineCount: 5, workersReady: 2 },
    cells: { Phase: 'Provisioning', Kubernetes: 'v1.28.3', Talos: 'v1.5.5', Machines: 5, Age },
  },
  {
    kind: ProvidedMachine,
    spec: { provider: 'kubevirt', machineClass: 'large' },
    status: {
      phase: 'Running',
      state: 'on',
      ipAddresses: ['10.0.0.10'],
      publicIPAddresses: ['192.0.2.10', '192.0.2.11'],
    },
    cells: {
      Phase: 'Running',
      State: 'on',
      'Public IPs': '["192.0.2.10","192.0.2.11"]',
      Provider: 'kubevirt',
      'Machine Class': 'large',
      Age,
    },
  },
]
