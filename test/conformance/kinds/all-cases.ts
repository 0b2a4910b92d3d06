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
import { addonCases } from './addon.cases.ts'
import { addonReleaseCases } from './addon-release.cases.ts'
import type { KindCases, StatusCases } from './cases.ts'
import { clusterCases } from './cluster.cases.ts'
import { controlPlaneCases } from './control-plane.cases.ts'
import { etcdBackupCases } from './etcd-backup.cases.ts'
import { etcdBackupScheduleCases } from './etcd-backup-schedule.cases.ts'
import { kubernetesClusterCases } from './kubernetes-cluster.cases.ts'
import { machineCases } from './machine.cases.ts'
import { providedMachineCases } from './provided-machine.cases.ts'
import {
  addonReleaseStatusCases,
  addonStatusCases,
  clusterStatusCases,
  controlPlaneStatusCases,
  etcdBackupScheduleStatusCases,
  etcdBackupStatusCases,
  kubernetesClusterStatusCases,
  machineStatusCases,
  providedMachineStatusCases,
  workerStatusCases,
} from './status.cases.ts'
import { workerCases } from './worker.cases.ts'

/** The cases of every kind. */
export const allCases: readonly {
  kind: Kind
  /** Of its spec. */
  cases: KindCases
  status: StatusCases
}[] = [
  { kind: Cluster, cases: clusterCases, status: clusterStatusCases },
  { kind: ControlPlane, cases: controlPlaneCases, status: controlPlaneStatusCases },
  { kind: Worker, cases: workerCases, status: workerStatusCases },
  { kind: Machine, cases: machineCases, status: machineStatusCases },
  { kind: Addon, cases: addonCases, status: addonStatusCases },
  { kind: AddonRelease, cases: addonReleaseCases, status: addonReleaseStatusCases },
  { kind: EtcdBackup, cases: etcdBackupCases, status: etcdBackupStatusCases },
  {
    kind: EtcdBackupSchedule,
    cases: etcdBackupScheduleCases,
    status: etcdBackupScheduleStatusCases,
  },
  { kind: KubernetesCluster, cases: kubernetesClusterCases, status: kubernetesClusterStatusCases },
  { kind: ProvidedMachine, cases: providedMachineCases, status: providedMachineStatusCases },
]
