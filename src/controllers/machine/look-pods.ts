import type { Machine } from '#api/machine.ts'
import type { ClusterNodes } from '#engine/cluster-nodes.ts'
import { ApiError } from '#kube/api-error.ts'
import { keyOf } from '#kube/cache.ts'
import type { PodsSeen, World } from './world.ts'

export const UNASKED: PodsSeen = { is: 'unasked' }

/** The pods on its node, while that is drained for the machine. */
export async function lookAtPods(
  machine: Machine,
  world: Pick<World, 'parent' | 'seen' | 'node' | 'areNodesKnown'>,
  { nodes, signal }: { nodes: ClusterNodes; signal: AbortSignal },
): Promise<PodsSeen> {
  const { parent, seen, node, areNodesKnown } = world
  const isMarked = node?.drain?.by === machine.metadata.uid
  if (!node || !isMarked || !areNodesKnown) return UNASKED
  if (parent.is !== 'there' || seen.is !== 'member') return UNASKED
  try {
    return { is: 'known', pods: await nodes.podsOn(keyOf(parent.controlPlane), node.name, signal) }
  } catch (error) {
    // A machine is not to be stuck without a word because the API of its cluster is.
    if (error instanceof ApiError) return { is: 'unknown', message: error.message }
    throw error
  }
}
