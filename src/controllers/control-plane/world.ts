import type { Machine } from '#api/machine.ts'
import type { Secret } from '#base/secret.ts'
import type { ClusterFacts } from '#engine/cluster-facts.ts'
import type { ApiSeen } from '#engine/cluster-nodes-seen.ts'
import type { SecretsReason } from '#engine/cluster-secrets-error.ts'
import type { HeldSecret, Hold } from '#engine/cluster-secrets-hold.ts'
import type { KubeletPhase } from '#engine/kubelet-moves.ts'
import type { KubernetesProblem } from '#engine/kubernetes-checks.ts'
import type { KubernetesRecord } from '#engine/kubernetes-record.ts'
import type { PoolProblem } from '#engine/pool-input.ts'
import type { MachineStep } from '#engine/pool-machines.ts'
import type { MachinePlan } from '#engine/pool-plan.ts'
import type { PoolWarning } from '#engine/pool-warnings.ts'
import type { TurnStep, TurnsSeen } from '#engine/turn-steps.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'

/** What one pass saw of a control plane. */
export interface World {
  /** Its machines, in the order of the spec. */
  machines: readonly Machine[]
  /** How they differ from those that are wanted. */
  pool: MachinePlan
  /** Whether the API has another spec than the one that this is of. Asked only before a machine goes because of it. */
  isOld: boolean
  /** Why an entry leads to no address, the first of them. */
  unresolved: { reason: string; message: string } | undefined
  /** What is wrong with the spec. */
  problem: PoolProblem | undefined
  warnings: readonly PoolWarning[]
  secrets: Secrets
  /** Whether what they are kept in can go before this object does. */
  hold: Hold
  /** The pools of workers that are of this cluster, by name. */
  workers: readonly string[]
  /** Whose turn it is to be changed. */
  turns: TurnsSeen
  /** The cluster's own Kubernetes API. */
  api: ApiSeen
  /** What there is to know when its Kubernetes is to be another one. */
  kubernetes: KubernetesSeen
  /** What there is to know when workers are to get other kubelets. */
  kubelets: KubeletsSeen
  /** Whether a node has the mark of a drain. */
  areNodesMarked: boolean
  /** Those that were drained for a machine whose object is gone. */
  strays: readonly StrayNode[]
  /** Those whose machine no object stands for. */
  unknownNodes: readonly UnknownNode[]
  /** Which Secrets have to be written. */
  due: readonly Due[]
  /** Which cannot be: they are somebody else's, or no API server would take it. */
  taken: readonly Taken[]
  /** What steps are done with. Plans do not look into it. */
  means: Means
}

export interface KubernetesSeen {
  /** What speaks against the version that the spec asks for. */
  problem: KubernetesProblem | undefined
  /** Machines of the cluster, workers included, that are to have another Talos. */
  unlikeTalos: readonly string[]
  /** Pools of which a machine is being changed, as the API has it. Asked only before it begins, and before it ends. */
  busyPools: readonly string[]
  /** Pools whose kubelets are not what they are to be yet. */
  poolsBehind: readonly string[]
  /** A machine of theirs that cannot be changed any further, and why, when it is their turn. */
  standing: string | undefined
}

export interface KubeletsSeen {
  /** Pools of which a machine waits for another kubelet, and that would give it a turn. */
  asking: readonly string[]
  /** Whether a machine waits for one, also of a pool that would not. */
  isAnyWaiting: boolean
  /** Pools of which a machine has a turn; as the API has it before the first kubelet is moved, and after the last one. */
  busy: readonly string[]
  /** Machines of the cluster that are to have another Talos. */
  unlikeTalos: readonly string[]
  /** What speaks against those kubelets. */
  problem: KubernetesProblem | undefined
}

/** A node, and for whom it was drained. */
export interface StrayNode {
  node: string
  uid: string
  by: string
}

/** A node, and what is known of its machine. */
export interface UnknownNode {
  name: string
  machineUuid: string
  address?: string
}

export type Secrets =
  /** `areBrought`: they were not made for this very object, so a cluster may have begun with them. */
  | { is: 'there'; clusterId: string; areBrought: boolean }
  | { is: 'to be made'; from: 'generated' | 'state' | 'status' | 'configRef' }
  | { is: 'refused'; reason: SecretsReason; message: string }

/** What is written into Secrets, and kept as it should be: for users, and for who takes over from us. */
export type Delivered = 'kubeconfig' | 'talosconfig' | 'config' | 'state'

export interface Due {
  what: Delivered
  name: string
  /** Whether there is none yet. */
  isNew: boolean
}

export interface Taken {
  what: Delivered
  name: string
  /** Whose it is, or why nothing can be put into it: what follows its name in a sentence. */
  why: string
}

interface Means {
  /** What the secrets are kept in. */
  secret?: HeldSecret
  /** The secrets, or those that are to become them. */
  bundle?: SecretsBundle
  access?: ClusterAccess
  /** What the configurations of all machines have in common. */
  config?: Secret<string>
}

/** What can be done for a control plane. Names only: steps are shown. */
export type Step =
  | { do: 'createSecrets'; name: string; from: 'generated' | 'state' | 'status' | 'configRef' }
  /** Writes down that there are secrets, and of which cluster. */
  | { do: 'recordCluster'; id: string }
  /** Writes down which versions its configurations are made for. */
  | ({ do: 'recordFacts' } & ClusterFacts)
  /** Writes down that the cluster is ours as it runs: its machines by UUID, and the versions that it has. */
  | ({ do: 'adopt'; machines: readonly string[] } & ClusterFacts)
  /** Keeps the Secret with the secrets from going, and lets it go. */
  | { do: 'holdSecrets'; name: string }
  | { do: 'releaseSecrets'; name: string }
  | { do: 'chooseBootstrap'; machine: string; uuid: string }
  | { do: 'bootstrap'; machine: string; uuid: string }
  /** Writes down that the cluster has begun, and on which machine; and on which one its etcd was seen. */
  | { do: 'recordBegun'; machine: string; uuid: string; on: string }
  /** Says of a machine that was told to go that nothing speaks against it; or takes that back. */
  | { do: 'letGo'; machine: string; uid: string }
  | { do: 'keepBack'; machine: string; uid: string }
  /** Takes the machine's member out of etcd, and writes down that it is. */
  | { do: 'leaveEtcd'; machine: string; uuid: string }
  /** Writes down on a machine that etcd knows nothing of the member that it has, or had. */
  | { do: 'forgetMember'; machine: string; uid: string; member: string }
  /** Writes down how far another version of Kubernetes has come; without a record, that there is none. */
  | { do: 'moveKubernetes'; record: KubernetesRecord | undefined; kubeVersion: string }
  /** Brings what Talos runs in the cluster itself, as this machine has it now, and writes down that all is done. */
  | { do: 'syncManifests'; machine: string; uuid: string; record: KubernetesRecord }
  /** Writes down how far it has come that workers get other kubelets; without a phase, that it is over. */
  | { do: 'moveKubelets'; phase: KubeletPhase | undefined }
  /** Takes away what a drain left on a node. */
  | ({ do: 'uncordon' } & StrayNode)
  | { do: 'deliver'; what: Delivered; name: string; isNew: boolean }
  | MachineStep
  | TurnStep
