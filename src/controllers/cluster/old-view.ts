import { Cluster } from '#api/cluster.ts'
import { liveObject } from '#engine/live-object.ts'
import type { Reader } from '#runtime/reader.ts'
import { toBeRemoved, type World } from './plan.ts'

/**
 * Whether the API has another spec of a cluster than the one by which its workers would be removed. Asked only then:
 * a pool that was put back into the spec, and that a cache does not show there yet, would cost its machines their disks.
 */
export async function isOldView(
  { metadata }: Cluster,
  world: World,
  read: Pick<Reader, 'fetchAny'>,
): Promise<boolean> {
  if (metadata.deletionTimestamp !== undefined || !toBeRemoved(world)) return false
  const live = await liveObject(Cluster, metadata.name, read)
  const { uid, generation } = live?.metadata ?? {}
  return uid !== metadata.uid || generation !== metadata.generation
}
