import { Cluster } from '#api/cluster.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Kind, KubeObject, ObjectMeta } from '#api/meta.ts'
import type { CacheReader } from '#runtime/reader.ts'

/** The names of the objects of a kind that an object is a part of. */
export const ownerNamesOf = ({ kind }: Kind, { ownerReferences = [] }: ObjectMeta): string[] =>
  ownerReferences.filter((owner) => owner.kind === kind).map(({ name }) => name)

/** The names of the TalosClusters that an object is a part of. */
export const clusterOwners = (metadata: ObjectMeta): string[] => ownerNamesOf(Cluster, metadata)

/** The clusters of either kind that an object is a part of; undefined for those that are not there. */
export const wholesOf = (
  metadata: ObjectMeta,
  read: Pick<CacheReader, 'get'>,
): (KubeObject | undefined)[] => [
  ...clusterOwners(metadata).map((name) => read.get(Cluster, name)),
  ...ownerNamesOf(KubernetesCluster, metadata).map((name) => read.get(KubernetesCluster, name)),
]
