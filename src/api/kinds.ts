import { Addon } from './addon.ts'
import { AddonRelease } from './addon-release.ts'
import { Cluster } from './cluster.ts'
import { ControlPlane } from './control-plane.ts'
import { EtcdBackup } from './etcd-backup.ts'
import { EtcdBackupSchedule } from './etcd-backup-schedule.ts'
import { KubernetesCluster } from './kubernetes-cluster.ts'
import { Machine } from './machine.ts'
import type { Kind } from './meta.ts'
import { ProvidedMachine } from './provided-machine.ts'
import { Worker } from './worker.ts'

/** Every kind of ours, in the order a newcomer should meet them. */
export const kinds: readonly Kind[] = [
  Cluster,
  ControlPlane,
  Worker,
  Machine,
  Addon,
  AddonRelease,
  EtcdBackup,
  EtcdBackupSchedule,
  KubernetesCluster,
  ProvidedMachine,
]
