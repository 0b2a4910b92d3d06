import type { Machine } from '#api/machine.ts'
import type { ClusterSeen } from '#engine/cluster-nodes-seen.ts'
import type { StrayNode } from './world.ts'

/**
 * Nodes that were drained for a machine whose object is gone: it was let go by force, say. Nobody else would let pods come
 * to them again.
 */
export const strayNodes = (
  { api, nodes }: ClusterSeen,
  machines: readonly Machine[],
): StrayNode[] =>
  nodes.flatMap(({ name, uid, drain }) =>
    api.is !== 'answering' || !drain || machines.some(({ metadata }) => metadata.uid === drain.by)
      ? []
      : [{ node: name, uid, by: drain.by }],
  )
