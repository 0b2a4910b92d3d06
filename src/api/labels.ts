// Keys of labels and annotations that more than one place has to know.

import { type Kind, TALOS_GROUP } from './meta.ts'

/** How an object is treated: `reconcile`, `disable`, `dryrun` or `import`. */
export const RECONCILE_MODE = `${TALOS_GROUP}/reconcile-mode`

/** What every label key of ours begins with. */
export const LABEL_PREFIX = `${TALOS_GROUP}/`

/** The label on what was made on behalf of an object of the kind; its value is the object's name. */
export const makerLabelOf = ({ stem }: Kind): string => `${LABEL_PREFIX}${stem}`

/** On a TalosControlPlane: the id of the cluster whose secrets were made for it, once they were. */
export const CLUSTER_ID = `${TALOS_GROUP}/cluster-id`

/** On a TalosControlPlane: the UUID of the machine that its etcd begins on. Written before that is asked for. */
export const BOOTSTRAP_MACHINE = `${TALOS_GROUP}/bootstrap-machine`

/** On a TalosControlPlane: the minor version of Talos in whose form the configurations of its cluster are written. */
export const CONTRACT = `${TALOS_GROUP}/contract`

/** On a TalosControlPlane: the version of Kubernetes that the configurations of its cluster are made for. */
export const KUBE_VERSION = `${TALOS_GROUP}/kube-version`

/** On a TalosControlPlane: how far another version of Kubernetes has come. */
export const KUBE_UPGRADE = `${TALOS_GROUP}/kube-upgrade`

/** On a TalosControlPlane: that workers get other kubelets though their cluster is not upgraded, and how far that has come. */
export const KUBELETS = `${TALOS_GROUP}/kubelets`

/** On a TalosMachine: the UUID of the machine that it stands for. Written before that is configured. */
export const MACHINE_UUID = `${TALOS_GROUP}/machine-uuid`

/** On a TalosMachine of a control plane: the id of its member of etcd. It outlives what is seen of the machine. */
export const ETCD_MEMBER = `${TALOS_GROUP}/etcd-member`

/**
 * On a TalosMachine of a control plane: the id of the member that it has, or had, and that etcd knows nothing of. That was begun
 * anew without it, or somebody removed it.
 */
export const ETCD_FORGOTTEN = `${TALOS_GROUP}/etcd-forgotten`

/** On a TalosMachine that leaves a control plane which stays: nothing speaks against it, so its node is drained. */
export const MAY_GO = `${TALOS_GROUP}/may-go`

/** On a TalosMachine that leaves a control plane which stays: its machine is no member of etcd any more. */
export const ETCD_LEFT = `${TALOS_GROUP}/etcd-left`

/** On a TalosMachine: the disk that was picked for it, once. */
export const INSTALL_DISK = `${TALOS_GROUP}/install-disk`

/** Set to `true` by a user: the object goes, whatever becomes of its machines. */
export const FORCE_DELETION = `${TALOS_GROUP}/force-deletion`

/** On the Secret with a cluster's secrets: the uid of the object that they were made for. With those of another one, a cluster may have begun. */
export const MADE_FOR = `${TALOS_GROUP}/made-for`

/** A finalizer on the Secret with a cluster's secrets: it stays for as long as its control plane does. */
export const SECRETS_IN_USE = `${TALOS_GROUP}/in-use`

/** On a Secret with credentials: when they end. */
export const EXPIRES = `${TALOS_GROUP}/expires`

/** On a TalosMachine that is being deleted: when the machine accepted to be reset. */
export const RESET_ACCEPTED = `${TALOS_GROUP}/reset-accepted`

/** On a TalosControlPlane: the UUID of the machine that accepted to begin its etcd. */
export const BOOTSTRAP_ACCEPTED = `${TALOS_GROUP}/bootstrap-accepted`

/** On a TalosControlPlane: the UUID of the machine on which its etcd was first seen. Without it none was ever. */
export const ETCD_SEEN = `${TALOS_GROUP}/etcd-seen`

/** On a part of a TalosCluster: which labels and annotations it has from the cluster, and loses with it. */
export const COPIED = `${TALOS_GROUP}/copied`

/** On a TalosControlPlane or a TalosWorker: whose turn it is to be changed, and the number of the last turn. */
export const TURNS = `${TALOS_GROUP}/turns`

/** On a TalosMachine: the number of the turn that it was given, and of the last one that it has done with. */
export const TURN = `${TALOS_GROUP}/turn`
export const TURN_DONE = `${TALOS_GROUP}/turn-done`

/** On a TalosMachine: the configuration that its machine was last given, and what that was made from, as hashes. */
export const CONFIG = `${TALOS_GROUP}/config`

/** On a TalosMachine: which configuration its machine was told to take, how often, when and how. */
export const CONFIG_TRIED = `${TALOS_GROUP}/config-tried`

/** On a TalosMachine: which configuration its machine would not take, and why. */
export const CONFIG_REJECTED = `${TALOS_GROUP}/config-rejected`

/** On a TalosMachine, set by a user: the change that may be made though nobody asked for it here. */
export const CONSENT = `${TALOS_GROUP}/consent`

/**
 * On a TalosControlPlane or a TalosWorker: the UUIDs of the machines that it took over as they ran. On a TalosMachine that
 * stands for one of these: `true`.
 */
export const ADOPTED = `${TALOS_GROUP}/adopted`

/** On a Node of a cluster: that it is, or was, drained by us, for which TalosMachine, and whether the cordon is ours. */
export const DRAIN = `${TALOS_GROUP}/drain`

/** On a TalosMachine: which image its machine is told to run, and where that is. */
export const UPGRADE = `${TALOS_GROUP}/upgrade`

/** On a TalosMachine: which image its machine does not run though it was told to, and why. */
export const UPGRADE_FAILED = `${TALOS_GROUP}/upgrade-failed`

/** On a Machine: the name of its cluster, what it is in it (`controlplane` or `worker`), and the group of a worker. */
export const CLUSTER_NAME = 'cluster.vitistack.io/cluster-name'
export const ROLE = 'cluster.vitistack.io/role'
export const WORKER_GROUP = 'cluster.vitistack.io/worker-group'

/** On a Machine: `true` tells its provider that Talos runs from the disk, so that nobody needs what it booted from first. */
export const OS_INSTALLED = 'vitistack.io/os-installed'

/** On a KubernetesCluster, set by a user: `true` lets more than two control planes go by one edit. */
export const ALLOW_SCALE_DOWN = 'cluster.vitistack.io/allow-scale-down'

/** On what a KubernetesCluster makes: what it was last made to say, as a hash. Whoever says less is made to say it again. */
export const MADE_AS = `${TALOS_GROUP}/made-as`
