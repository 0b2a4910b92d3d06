import type { Kind, KubeObject } from '#api/meta.ts'
import type { Reader } from '#runtime/reader.ts'
import { liveObject } from './live-object.ts'
import { toBeRemoved } from './pool-machines.ts'
import type { MachinePlan } from './pool-plan.ts'

/**
 * Whether the API has another spec than the one that we see. Asked only where a machine would go because of it: an entry
 * that was put back, and that a cache does not show yet, would cost a machine its disks.
 */
export async function isOldSpec(
  kind: Kind,
  { metadata }: KubeObject,
  { pool, read }: { pool: MachinePlan; read: Pick<Reader, 'fetchAny'> },
): Promise<boolean> {
  if (metadata.deletionTimestamp !== undefined || toBeRemoved(pool).length === 0) return false
  const live = await liveObject(kind, metadata.name, read)
  return live?.metadata.uid !== metadata.uid || live?.metadata.generation !== metadata.generation
}
