import type { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import type { Kind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { liveObject } from '#engine/live-object.ts'
import type { Reader } from '#runtime/reader.ts'
import { goingOf, type World } from './plan.ts'

/**
 * Which own part of a cluster that goes the API has, and no cache shows: `TalosWorker prod`. The control plane is
 * removed when the workers are gone, and the cluster when both are, so whoever believes that asks first.
 */
export async function unseenPart(
  cluster: Cluster,
  { worker, controlPlane }: World,
  read: Pick<Reader, 'fetchAny'>,
): Promise<string | undefined> {
  if (cluster.metadata.deletionTimestamp === undefined || goingOf(worker)) return undefined
  const ofWorkers = await ownOf(cluster, [Worker, worker.name], read)
  if (ofWorkers || goingOf(controlPlane)) return ofWorkers
  return ownOf(cluster, [ControlPlane, controlPlane.name], read)
}

async function ownOf(
  { metadata }: Cluster,
  [kind, called]: [Kind, string],
  read: Pick<Reader, 'fetchAny'>,
): Promise<string | undefined> {
  // One that the spec has no more has the name that it was given.
  const name = called || metadata.name
  const live = await liveObject(kind, name, read)
  const isOwn = live?.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid)
  return isOwn ? `${kind.kind} ${name}` : undefined
}
