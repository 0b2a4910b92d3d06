import { Cluster } from '#api/cluster.ts'
import type { ControlPlane } from '#api/control-plane.ts'
import type { Worker } from '#api/worker.ts'
import { ownedBy } from '#runtime/controller.ts'
import type { Named } from '#runtime/writer.ts'
import { copiedFrom } from './copied.ts'

/** The control plane that a cluster asks for. `child`: the one that is there. */
export function controlPlaneDraft(
  cluster: Cluster,
  name: string,
  child?: ControlPlane,
): Named<typeof ControlPlane> {
  const { controlPlane } = cluster.spec ?? {}
  return { metadata: metadataOf(cluster, name, child), ...(controlPlane && { spec: controlPlane }) }
}

/** The pool of workers that a cluster asks for. Whatever it names as its control plane, it joins this one. */
export function workerDraft(
  cluster: Cluster,
  { name, controlPlane, child }: { name: string; controlPlane: string; child?: Worker | undefined },
): Named<typeof Worker> {
  const { worker } = cluster.spec ?? {}
  return {
    metadata: metadataOf(cluster, name, child),
    ...(worker && { spec: { ...worker, controlPlaneRef: { name: controlPlane } } }),
  }
}

const metadataOf = (cluster: Cluster, name: string, child: ControlPlane | Worker | undefined) => ({
  name,
  ...copiedFrom(cluster, child),
  ownerReferences: [ownedBy(Cluster, cluster)],
})
