import { Cluster } from '#api/cluster.ts'
import type { ControlPlane } from '#api/control-plane.ts'
import type { Worker } from '#api/worker.ts'
import { ownedBy } from '#runtime/controller.ts'
import type { Named } from '#runtime/writer.ts'
import { copiedFrom } from './copied.ts'

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

const metadataOf = (cluster: Cluster, name: string) => ({
  name,
  ...copiedFrom(cluster),
  ownerReferences: [ownedBy(Cluster, cluster)],
})
