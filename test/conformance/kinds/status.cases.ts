// The status of each kind, as the published operators and ours write it.

import type { Status, StatusCases } from './cases.ts'
import { notATime, statusCases } from './conditions.cases.ts'
import { wrongStatusTypeCases } from './wrong-types.cases.ts'

export const clusterStatusCases = statusCases({})

export const controlPlaneStatusCases = statusCases(
  {
    state: 'UpgradingKubernetes',
    observedKubeVersion: 'v1.35.0',
    imported: true,
    config: 'version: v1alpha1\n',
    secretBundle: 'cluster:\n  id: a\n',
    bundleConfig: '{"clusterName":"prod"}',
  },
  {
    accepted: [
      { title: 'a state that only an older operator wrote', status: { state: 'Failed' } },
      { title: 'a state that is empty, as older operators left it', status: { state: '' } },
    ],
  },
)

export const workerStatusCases = statusCases({
  state: 'Ready',
  imported: true,
  config: 'version: v1alpha1\n',
})

const etcdMember = { id: '8e9e05c52164694d', learner: true }

export const machineStatusCases = statusCases(
  {
    state: 'Available',
    observedVersion: 'v1.13.0',
    observedSchematic: 'a'.repeat(64),
    uuid: '7f0b3c1e-0000-4000-8000-000000000000',
    type: 'controlplane',
    hostname: 'prod-cp-0',
    addresses: ['10.0.0.1', '2001:db8::1'],
    stage: 'running',
    etcdMember,
    etcdMembers: [{ ...etcdMember, name: 'prod-cp-0' }],
    kubernetes: {
      ...{ apiServer: 'v1.36.0', controllerManager: 'v1.36.0', scheduler: 'v1.35.0' },
      ...{ proxy: 'v1.35.0', kubelet: 'v1.35.0' },
    },
    pending: { work: 'upgrade', needs: 'reboot' },
    imported: true,
    config: 'version: v1alpha1\n',
  },
  {
    accepted: [
      { title: 'a worker', status: { type: 'worker' } },
      {
        title: 'a configuration that waits',
        status: { pending: { work: 'configuration', needs: 'live' } },
      },
      {
        title: 'another version of Kubernetes that waits',
        status: { pending: { work: 'kubernetes', needs: 'live' } },
      },
      { title: 'a stage that we have not heard of', status: { stage: 'meditating' } },
      {
        title: 'a member of etcd, which has a vote unless told',
        status: { etcdMember: { id: etcdMember.id } },
        becomes: { etcdMember: { id: etcdMember.id, learner: false } },
      },
      {
        title: 'members of etcd, which have a vote unless told',
        status: { etcdMembers: [{ id: etcdMember.id, name: '' }] },
        becomes: { etcdMembers: [{ id: etcdMember.id, name: '', learner: false }] },
      },
    ],
    refused: [
      ...['init', 'control-plane', ''].map((type) => ({
        title: `the type "${type}"`,
        status: { type },
        at: 'status.type',
        says: `Unsupported value: "${type}"`,
      })),
      {
        title: 'something to do that there is not',
        status: { pending: { work: 'cleaning', needs: 'live' } },
        at: 'status.pending.work',
        says: 'Unsupported value: "cleaning"',
      },
      {
        title: 'something to do that needs what there is not',
        status: { pending: { work: 'upgrade', needs: 'luck' } },
        at: 'status.pending.needs',
        says: 'Unsupported value: "luck"',
      },
      ...['work', 'needs'].map((field) => ({
        title: `something to do without ${field}`,
        status: { pending: field === 'work' ? { needs: 'live' } : { work: 'upgrade' } },
        at: `status.pending.${field}`,
        says: 'Required value',
      })),
      {
        title: 'a member of etcd without an id',
        status: { etcdMember: { learner: true } },
        at: 'status.etcdMember.id',
        says: 'Required value',
      },
      ...['id', 'name'].map((field) => ({
        title: `one of the members of etcd without its ${field}`,
        status: { etcdMembers: [field === 'id' ? { name: 'cp' } : { id: etcdMember.id }] },
        at: `status.etcdMembers[0].${field}`,
        says: 'Required value',
      })),
    ],
  },
)

export const addonStatusCases = statusCases({})

export const addonReleaseStatusCases = statusCases({})

export const etcdBackupStatusCases = statusCases({
  filename: 'talos-operator-etcd-backups/prod/etcd-snapshot-2030-01-01T00-00-00Z.db',
  stateFilename: 'talos-operator-etcd-backups/prod/state-2030-01-01T00-00-00Z.yaml',
})

export const etcdBackupScheduleStatusCases = statusCases(
  {
    lastScheduleTime: '2030-01-01T02:00:00Z',
    lastSuccessfulBackupTime: '2030-01-01T02:00:30Z',
    nextScheduleTime: '2030-01-02T02:00:00Z',
    activeBackups: ['nightly-1893463200'],
  },
  { refused: notATime('lastScheduleTime', 'lastSuccessfulBackupTime', 'nextScheduleTime') },
)

export const kubernetesClusterStatusCases = statusCases(
  {
    phase: 'Running',
    controlPlaneReady: true,
    workersReady: 2,
    machineCount: 5,
    lastUpdated: '2030-01-01T00:00:00.123456Z',
  },
  {
    accepted: ['Pending', 'Provisioning', 'Running', 'Failed'].map((phase) => ({
      title: `the phase ${phase}`,
      status: { phase },
    })),
    refused: [
      ...['Ready', 'running', ''].map((phase) => ({
        title: `the phase "${phase}"`,
        status: { phase },
        at: 'status.phase',
        says: `Unsupported value: "${phase}"`,
      })),
      ...notATime('lastUpdated'),
    ],
  },
)

const provided: Status = {
  phase: 'Running',
  state: 'on',
  message: 'it runs',
  failureReason: 'NoCapacity',
  failureMessage: 'there is no room for it',
  provider: 'kubevirt',
  providerID: 'kubevirt://prod-cp-0',
  machineID: 'prod-cp-0',
  region: 'north',
  zone: 'a',
  hostname: 'prod-cp-0',
  architecture: 'amd64',
  operatingSystem: 'talos',
  operatingSystemVersion: 'v1.13.0',
  kernelVersion: '6.18.0-talos',
  ipAddresses: ['10.0.0.10', '192.0.2.10'],
  ipv6Addresses: ['2001:db8::10'],
  publicIPAddresses: ['192.0.2.10'],
  privateIPAddresses: ['10.0.0.10'],
  networkInterfaces: [
    {
      name: 'eth0',
      macAddress: '52:54:00:12:34:56',
      ipAddresses: ['10.0.0.10'],
      ipv6Addresses: ['2001:db8::10'],
      state: 'up',
      type: 'bridge',
      mtu: 1500,
    },
  ],
  cpus: 4,
  memory: 8589934592,
  disks: [
    {
      name: 'root',
      device: '/dev/vda',
      size: 53687091200,
      type: 'nvme',
      pvcName: 'prod-cp-0-root',
      volumeMode: 'Block',
      serialNumber: 'S1',
      uuid: '7f0b3c1e-0000-4000-8000-000000000000',
      accessModes: ['ReadWriteOnce'],
      filesystemType: 'xfs',
      mountPoint: '/var',
      label: 'EPHEMERAL',
      usedBytes: 1073741824,
      availableBytes: 52613349376,
      usagePercent: '2%',
    },
  ],
  bootTime: '2030-01-01T00:00:00Z',
  creationTime: '2030-01-01T00:00:00Z',
  lastUpdated: '2030-01-01T00:00:00Z',
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'Running',
      message: 'it runs',
      lastTransitionTime: '2030-01-01T00:00:00Z',
    },
  ],
}

const theirs = { theirs: { deep: [{ deeper: null }, 'x', 1.5], empty: {} } }

export const providedMachineStatusCases: StatusCases = {
  accepted: [
    { title: 'every field that real providers write', status: provided },
    { title: 'an empty status', status: {} },
    {
      title: 'fields of a provider are kept at every level',
      status: {
        ...theirs,
        networkInterfaces: [theirs],
        disks: [theirs],
        conditions: [theirs],
      },
    },
    {
      title: 'words that only a provider knows',
      status: { phase: 'Migrating', architecture: 'riscv64', conditions: [{ status: 'Perhaps' }] },
    },
    {
      title: 'two conditions of one type, and one with nothing in it',
      status: { conditions: [{ type: 'Ready' }, { type: 'Ready' }, {}] },
    },
  ],
  refused: [
    ...wrongStatusTypeCases(provided),
    ...notATime('bootTime', 'creationTime', 'lastUpdated'),
    {
      title: 'a condition since a moment that is none',
      status: { conditions: [{ lastTransitionTime: 'yesterday' }] },
      at: 'status.conditions[0].lastTransitionTime',
      says: 'must be of type date-time',
    },
  ],
}
