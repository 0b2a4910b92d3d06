import { Cluster } from '#api/cluster.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
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
  const own = { seen: { metadata }, live: await liveObject(kind, metadata.name, read) }
  const owners = await Promise.all(
    clusterOwners(metadata).map(async (name) => ({
      ...{ seen: read.get(Cluster, name), live: await liveObject(Cluster, name, read) },
    })),
  )
  return !own.live || [own, ...owners].some(({ seen, live }) => !isSame(seen, live))
}

const isSame = (seen: KubeObject | undefined, live: KubeObject | undefined): boolean =>
  seen?.metadata.uid === live?.metadata.uid &&
  seen?.metadata.generation === live?.metadata.generation
