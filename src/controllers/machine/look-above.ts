import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { clusterOwners, ownerNamesOf, wholesOf } from '#engine/cluster-owners.ts'
import { liveObject } from '#engine/live-object.ts'
import type { Reader } from '#runtime/reader.ts'
import { isRestrained } from '#runtime/reconcile-mode.ts'
import type { Parent, Seen } from './world.ts'

type Read = Pick<Reader, 'fetchAny' | 'get'>

/** What is said above a machine. */
export interface Above {
  /** Who says that it is to be kept as it runs: `TalosCluster prod`. */
  keptBy?: string | undefined
  /** Whether somebody there forbids it all, or is gone, and the caches do not show that. */
  isUnseen: boolean
}

/**
 * What the API has of the objects above a machine that is about to be wiped. What was said there a moment ago may have
 * reached neither the machine nor a cache, and a disk that is wiped stays so.
 */
export async function lookAbove(
  machine: Machine,
  { parent, seen }: { parent: Extract<Parent, { is: 'there' }>; seen: Seen },
  read: Read,
): Promise<Above> {
  const { deletionTimestamp, annotations } = machine.metadata
  const isOurs = seen.is === 'member' && seen.uuid === annotations?.[MACHINE_UUID]
  if (deletionTimestamp === undefined || !isOurs) return { isUnseen: false }
  const own = parent.worker ?? parent.controlPlane
  const live = await liveObject(parent.worker ? Worker : ControlPlane, own.metadata.name, read)
  if (!live) return { isUnseen: true }
  const part = parent.worker ? 'worker' : 'controlPlane'
  const { clusters, others } = await wholesAbove(live, read)
  const keepers = [
    ...(live.spec?.deletionPolicy === 'preserve' ? [live] : []),
    ...clusters.filter(({ spec }) => spec?.[part]?.deletionPolicy === 'preserve'),
  ]
  const isSeen = [own, ...wholesOf(own.metadata, read)].some((one) => one && isRestrained(one))
  return {
    keptBy: keepers.map(({ kind, metadata }) => `${kind} ${metadata.name}`)[0],
    isUnseen: !isSeen && [live, ...clusters, ...others].some(isRestrained),
  }
}

/** The clusters of either kind that a control plane or pool is a part of. */
async function wholesAbove({ metadata }: KubeObject, read: Read) {
  const [clusters, others] = await Promise.all([
    Promise.all(clusterOwners(metadata).map((name) => liveObject(Cluster, name, read))),
    Promise.all(
      ownerNamesOf(KubernetesCluster, metadata).map((name) =>
        liveObject(KubernetesCluster, name, read),
      ),
    ),
  ])
  return {
    clusters: clusters.filter((one) => one !== undefined),
    others: others.filter((one) => one !== undefined),
  }
}
