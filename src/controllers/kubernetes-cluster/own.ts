import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type KubeObject, TALOS_GROUP } from '#api/meta.ts'

/** On a Machine: the uid of the one that was gone when it was made under the same name. */
export const IN_PLACE_OF = `${TALOS_GROUP}/in-place-of`

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

/** The uid of the Machine in whose place one was made, if it was. */
export const placeOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.annotations?.[IN_PLACE_OF]
