import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { KubeObject } from '#api/meta.ts'

/** Whether an object is the cluster's own, and nobody else's. */
export const isOwn = ({ metadata }: KubernetesCluster, object: KubeObject): boolean =>
  metadata.uid !== undefined && controllerOf(object)?.uid === metadata.uid

/** Who controls an object: `KubernetesCluster prod`; undefined if nobody does. */
export function ownerWords(object: KubeObject): string | undefined {
  const owner = controllerOf(object)
  return owner && `${owner.kind} ${owner.name}`
}

const controllerOf = ({ metadata }: KubeObject) =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)

export const isLeaving = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined
