import { Cluster } from '#api/cluster.ts'
import type { ControlPlane } from '#api/control-plane.ts'
import { TALOS_GROUP } from '#api/meta.ts'
import type { Worker } from '#api/worker.ts'
import { ownedBy } from '#runtime/controller.ts'
import type { Named } from '#runtime/writer.ts'

/** The control plane that a cluster asks for. */
export function controlPlaneDraft(cluster: Cluster, name: string): Named<typeof ControlPlane> {
  const { controlPlane } = cluster.spec ?? {}
  return { metadata: metadataOf(cluster, name), ...(controlPlane && { spec: controlPlane }) }
}

/** The pool of workers that a cluster asks for. Whatever it names as its control plane, it joins this one. */
export function workerDraft(
  cluster: Cluster,
  { name, controlPlane }: { name: string; controlPlane: string },
): Named<typeof Worker> {
  const { worker } = cluster.spec ?? {}
  return {
    metadata: metadataOf(cluster, name),
    ...(worker && { spec: { ...worker, controlPlaneRef: { name: controlPlane } } }),
  }
}

function metadataOf(cluster: Cluster, name: string) {
  const { labels, annotations = {} } = cluster.metadata
  return {
    name,
    ...(labels && { labels }),
    annotations: Object.fromEntries(Object.entries(annotations).filter(isForParts)),
    ownerReferences: [ownedBy(Cluster, cluster)],
  }
}

/** What users put on a cluster is meant for its parts too, but not what tools and we put there for the cluster alone. */
const isForParts = ([key]: [string, string]): boolean =>
  !key.startsWith(`${TALOS_GROUP}/`) && !key.startsWith('kubectl.kubernetes.io/')
