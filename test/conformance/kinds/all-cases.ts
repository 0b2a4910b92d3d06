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
import type { KindCases } from './cases.ts'
import { clusterCases } from './cluster.cases.ts'
import { controlPlaneCases } from './control-plane.cases.ts'
import { etcdBackupCases } from './etcd-backup.cases.ts'
import { etcdBackupScheduleCases } from './etcd-backup-schedule.cases.ts'
import { kubernetesClusterCases } from './kubernetes-cluster.cases.ts'
import { machineCases } from './machine.cases.ts'
import { providedMachineCases } from './provided-machine.cases.ts'
import { workerCases } from './worker.cases.ts'

/** The cases of every kind. */
export const allCases: readonly { kind: Kind; cases: KindCases }[] = [
  { kind: Cluster, cases: clusterCases },
  { kind: ControlPlane, cases: controlPlaneCases },
  { kind: Worker, cases: workerCases },
  { kind: Machine, cases: machineCases },
  { kind: Addon, cases: addonCases },
  { kind: AddonRelease, cases: addonReleaseCases },
  { kind: EtcdBackup, cases: etcdBackupCases },
  { kind: EtcdBackupSchedule, cases: etcdBackupScheduleCases },
  { kind: KubernetesCluster, cases: kubernetesClusterCases },
  { kind: ProvidedMachine, cases: providedMachineCases },
]
