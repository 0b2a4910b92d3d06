import type { ControlPlane } from '#api/control-plane.ts'
import { FORCE_DELETION, MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import type { Secret } from '#base/secret.ts'
import { whyLeftRunning } from '#engine/adoption.ts'
import type { NodeSeen } from '#engine/cluster-nodes-seen.ts'
import type { ConfigRecord, TriedMode } from '#engine/config-record.ts'
import type { DiskSeen } from '#engine/install-disk-seen.ts'
import type { LongCall } from '#engine/long-calls.ts'
import type { PodRef, PodSeen } from '#engine/node-pods.ts'
import type { UpgradeRecord } from '#engine/upgrade-record.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type {
  ComponentVersions,
  KubernetesComponent,
} from '#machineconfig/versions/kubernetes-components.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import type { Mismatch } from '#talos/outcome.ts'

/** What one pass saw of a machine and of what it belongs to. */
export interface World {
  /** What the machine was made for. */
  parent: Parent
  /** Other machine objects that are after the same machine, and have it or come first. */
  rivals: readonly Rival[]
  /** What its configuration is to be. */
  wanted: Wanted
  /** In what the configuration that it has differs from that; undefined if it does not, or nobody can tell. */
  change: ConfigChange | undefined
  /** The number of its turn to be changed, if it has one at this moment. */
  turn: number | undefined
  /** What takes minutes and was begun for it by this process. */
  long: LongCall | undefined
  /** Whether Talos stays as it is in its cluster; asked of the API in the turn of a machine that is to be upgraded. */
  isKubernetesMoving: boolean
  /** Whether workers of its cluster may get other kubelets; asked of the API in the turn of a worker that is to get one. */
  mayKubeletsMove: boolean
  /** How those parts of Kubernetes are that its configuration names, asked for when it is its turn. */
  components: ComponentsSeen
  /** Whether it took its configuration a moment ago, and is about to leave maintenance mode. */
  hasTakenConfig: boolean
  /** Where Talos goes, as long as it is not there yet. */
  disk: InstallDisk
  /** Who answers at its address. */
  seen: Seen
  /** `namespace/name` of the TalosMachine that has a machine at this address, if whoever answers there is not one of this cluster. */
  holder?: string | undefined
  /** Whether the machine would be wiped, or installed, by what the object said before, and does not say any more. */
  isOld: boolean
  /** Which object above a machine that is about to be wiped says that it is not to be: `TalosCluster prod`. Asked of the API. */
  keptBy?: string | undefined
  /** How many machines answer as it does, or do not: the more, the less often each is looked at. */
  alike: number
  /** Its node, as the cluster's own API tells it. */
  node: NodeSeen | undefined
  /** Nodes of the same machine under names that it had before, which are not ready. */
  formerNodes: readonly NodeSeen[]
  /** Whether that API answers, so that a node which is not seen is not there. */
  areNodesKnown: boolean
  /** Since when it does not, if it is known not to. */
  apiSilentSince: Date | undefined
  /** The pods that have to leave its node. */
  pods: PodsSeen
  /** What steps are done with. Plans do not look into it. */
  means: Means
}

/** What is secret, or large, and belongs to nobody who explains a plan. */
interface Means {
  /** The other machines of its control plane, if it is of one and its turn has come. */
  others?: readonly Machine[]
  access?: ClusterAccess
  config?: () => MachineConfig
}

export type Parent =
  | {
      is: 'there'
      controlPlane: ControlPlane
      worker?: Worker | undefined
      /** Whether its cluster is being deleted as a whole. */
      isClusterLeaving?: boolean
      /** The pools that are still of its cluster, by name, when that is being deleted. */
      remaining?: readonly string[]
    }
  /** It is not there; the text says which. */
  | { is: 'missing'; what: string }
  /** The API has it, and the cache does not show it yet. */
  | { is: 'unseen'; what: string }

/** What is the matter with the parts of Kubernetes that a machine runs. */
export type ComponentsSeen =
  /** It is not its turn, or it has another configuration than it is to have. */
  | { is: 'unasked' }
  /** A sentence for each that does not run as its configuration says. */
  | { is: 'known'; amiss: readonly string[] }
  /** The API server did not say. */
  | { is: 'unknown'; message: string }

export type PodsSeen =
  /** Asked only while the node is drained. */
  | { is: 'unasked' }
  | { is: 'known'; pods: readonly PodSeen[] }
  /** The API server did not say. */
  | { is: 'unknown'; message: string }

export interface Rival {
  /** `namespace/name` of the other TalosMachine. */
  name: string
  /** What both of them are after. */
  what: 'address' | 'uuid'
  /** Whether it is being deleted, and has the machine wiped. */
  isLettingGo: boolean
  /** Where it looks for the same machine, if not at the address of this one. */
  elsewhere?: Elsewhere
}

interface Elsewhere {
  address: string
  /** Whether it is of the same control plane or pool, which then takes it to where its machine is. */
  isOfSamePool: boolean
  /** Whether its machine runs there, while another one of the same UUID waits for its configuration here. */
  areTwo: boolean
}

/** Never the configuration itself: plans are shown. */
export type Wanted =
  | {
      is: 'known'
      fingerprint: string
      /** Of all that it is made from: see `originDigest`. */
      origin: string
      metaText: string | undefined
    }
  /** It cannot be made from what the specs say. */
  | { is: 'wrong'; reason: string; message: string }
  /** Something that it is made from is not there yet. */
  | { is: 'waiting'; reason: string; message: string }

/** What it takes to give a machine another configuration. */
export interface ConfigChange {
  needs: 'live' | 'reboot'
  /** Whether the machine may lose its network by it. */
  isOfNetwork: boolean
  /** What differs, without values: `machine.sysctls`, `LinkConfig eth0`. Sorted. */
  places: readonly string[]
  /** The images of Kubernetes that it brings, whose version is another one by that, and who would be older by it. */
  images: readonly KubernetesImage[]
  moved: readonly KubernetesComponent[]
  older: readonly KubernetesComponent[]
  /** The image that Talos is installed by from then on, and the one before, if they are not two versions of one. */
  installer?: { before: string | undefined; after: string }
}

/** An image, and who runs it. */
export interface KubernetesImage {
  component: KubernetesComponent
  image: string
}

export type InstallDisk =
  /** The spec or a patch says which, or it was picked long ago. */
  { is: 'settled' } | { is: 'picked'; path: string }

export type Seen =
  /** Nobody asked, because there is nothing to ask with. */
  | { is: 'unasked' }
  /** It did not answer, or said "not yet". */
  | { is: 'silent'; message: string }
  /** Somebody else is there, or somebody whom we cannot know. */
  | { is: 'stranger'; mismatch: Mismatch | undefined; message: string }
  | Waiting
  | Member

/** A machine that waits for its configuration. */
export interface Waiting {
  is: 'waiting'
  uuid: string
  /** Undefined: older machines do not tell while they wait. */
  version: string | undefined
  disks: readonly DiskSeen[]
}

/** A machine that proved to be one of the cluster. */
export interface Member {
  is: 'member'
  uuid: string
  version: string
  /** `booting`, `installing`, `running`, `rebooting` … */
  stage: string
  isReady: boolean
  /** What Talos waits for, in its words. */
  unmet: readonly string[]
  type: 'controlplane' | 'worker' | undefined
  hostname: string | undefined
  addresses: readonly string[]
  etcdMember: { id: string; learner: boolean } | undefined
  /** All of them, as its own lists them. Undefined while that knows of no leader. */
  etcdMembers: readonly { id: string; name: string; learner: boolean }[] | undefined
  isKubeletWell: boolean
  /** The configuration that it has. */
  config: Secret<string> | undefined
  /** Of that. Undefined also if it cannot be read. */
  fingerprint: string | undefined
  /** The versions of Kubernetes in it. */
  kubernetes: Partial<ComponentVersions> | undefined
  /** What it booted. Undefined: nobody asked, because it is neither its turn nor anything to be upgraded. */
  boot: Boot | undefined
  /** What META has about its network, empty if nothing. Undefined: nobody asked, or it cannot be read. */
  metaText: string | undefined
}

/** What a machine runs, and since which boot. */
export interface Boot {
  /** Another one after each boot. */
  id: string
  /** Of the image factory. Undefined: its image is none of that. */
  schematic: string | undefined
  /** By name, sorted. */
  extensions: readonly string[]
  /** The image that it would be installed from, by its configuration. */
  installer: string | undefined
}

/** What can be done for a machine. Names and hashes only: steps are shown. */
export type Step =
  /** Makes the machine ours, and settles its disk. */
  | { do: 'claim'; uuid: string; disk?: string; config?: ConfigRecord }
  /** Makes a machine that runs ours, as it is. */
  | { do: 'adopt'; uuid: string; disk?: string }
  /** Writes down which member of etcd is the machine's. */
  | { do: 'noteMember'; member: string }
  | { do: 'writeMeta'; uuid: string }
  | { do: 'configure'; uuid: string; config: string }
  /** Changes the configuration of one that runs, the so many-th time in a row. */
  | { do: 'applyConfig'; uuid: string; config: string; mode: TriedMode; times: number }
  /** Has it keep what it was only given for a try. */
  | { do: 'keepConfig'; uuid: string; config: ConfigRecord }
  /** Writes down what the machine has; that it does not take something, and why; that its turn is over. */
  | { do: 'noteConfig'; config: ConfigRecord }
  | { do: 'noteRejected'; config: string; why: string }
  /** `took`: what it was told to take, has, and need not be told any more. */
  | { do: 'endTurn'; turn: number; took?: string }
  /** Writes down that it does not answer with what it was given for a try. */
  | { do: 'noteCutOff'; config: string }
  /** Fetches images of Kubernetes, while everything runs on. */
  | { do: 'pullImages'; uuid: string; images: readonly KubernetesImage[] }
  /** Fetches the image of another version, while everything runs on. */
  | { do: 'pullImage'; uuid: string; image: string }
  | InstallStep
  /** Writes down where that is. */
  | { do: 'noteUpgrade'; record: UpgradeRecord }
  /** Boots it. `record`: what it is then judged by, where it was upgraded; `times`: how often for its configuration. */
  | { do: 'restart'; uuid: string; record?: UpgradeRecord; times?: number }
  | { do: 'noteUpgraded'; image: string }
  /** Forgets what it was told: nothing of it can come up. */
  | { do: 'dropUpgrade' }
  /** `record`: what is left of it, where that may still come up. */
  | { do: 'noteUpgradeFailed'; image: string; why: string; record?: UpgradeRecord }
  /** Lets no more pods come to its node, and marks that it is drained. */
  | { do: 'cordon'; node: string; uid: string }
  /** Asks pods to leave it, as far as their budgets allow it. */
  | { do: 'evict'; node: string; pods: readonly PodRef[] }
  /** Makes them leave it, whatever their budgets say. */
  | { do: 'deletePods'; node: string; pods: readonly PodRef[] }
  /** Lets pods come to it again: its machine stays. */
  | { do: 'uncordon'; node: string; uid: string }
  /** The same, and writes down that it could not be drained. */
  | { do: 'giveUpDrain'; node: string; uid: string }
  | { do: 'reset'; uuid: string; graceful: boolean }
  /** Takes what is left of it out of its cluster. */
  | { do: 'deleteNode'; node: string; uid: string }

/** Whether a machine may be the one that the spec means, which need not say. */
export const isMeant = ({ spec }: Machine, uuid: string): boolean =>
  spec?.uuid === undefined || spec.uuid.toLowerCase() === uuid.toLowerCase()

/** Installs an image next to what runs. `all`: with the drain, the installation and the reboot in one call, as before v1.13. */
interface InstallStep {
  do: 'install'
  uuid: string
  image: string
  by: 'lifecycle' | 'all'
  /** What the machine calls the image since it fetched it. */
  name: string
  record: UpgradeRecord
}

/** Whether the machine is one of a control plane. */
export const isControlPlane = (machine: Machine): boolean =>
  machine.spec?.workerRef === undefined && machine.spec?.controlPlaneRef !== undefined

/** Whether its deletion wipes the machine: only what this object configured, and not if the user says so. */
export const isWipedWhenDeleted = (machine: Machine): boolean => {
  const { annotations = {} } = machine.metadata
  return (
    annotations[MACHINE_UUID] !== undefined &&
    annotations[FORCE_DELETION] !== 'true' &&
    whyLeftRunning(machine) === undefined
  )
}
