import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
import { sameJson } from '#base/same-json.ts'
import type { Reader } from '#runtime/reader.ts'
import { clusterOwners } from './cluster-owners.ts'
import { liveObject } from './live-object.ts'
import { toBeRemoved } from './pool-machines.ts'
import type { MachinePlan } from './pool-plan.ts'

/**
 * Whether the API has another spec than the one that we see, of the object or of the cluster that makes it. Asked only
 * where a machine would go because of it: an entry that was put back, and that a cache does not show yet, would cost a
 * machine its disks.
 */
export async function isOldSpec(
  kind: Kind,
  { metadata }: KubeObject,
  { pool, read }: { pool: MachinePlan; read: Pick<Reader, 'fetchAny' | 'get'> },
): Promise<boolean> {
  if (metadata.deletionTimestamp !== undefined || toBeRemoved(pool).length === 0) return false
  const live = await liveObject(kind, metadata.name, read)
  if (!live || !isSame({ metadata }, live)) return true
  const clusters = await Promise.all(
    clusterOwners(metadata).map(async (name) => ({
      ...{ seen: read.get(Cluster, name), live: await liveObject(Cluster, name, read) },
    })),
  )
  return clusters.some((one) => !isSame(one.seen, one.live) || !wants(one.live, kind, live))
}

/** Whether a cluster still wants those machines of its part: what it says now may be on its way there. */
function wants(cluster: Cluster | undefined, { kind }: Kind, part: KubeObject): boolean {
  const { controlPlane, worker } = cluster?.spec ?? {}
  const wanted = kind === ControlPlane.kind ? controlPlane : worker
  return wanted === undefined || sameJson(wanted.metalSpec, Object(part).spec?.metalSpec)
}

const isSame = (seen: KubeObject | undefined, live: KubeObject | undefined): boolean =>
  seen?.metadata.uid === live?.metadata.uid &&
  seen?.metadata.generation === live?.metadata.generation
