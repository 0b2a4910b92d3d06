import type { Machine } from '#api/machine.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { keyOf } from '#kube/cache.ts'
import type { Acts } from '#runtime/definition.ts'
import type { Step, World } from './world.ts'

type NodeStep = Extract<
  Step,
  { do: 'cordon' | 'uncordon' | 'evict' | 'deletePods' | 'giveUpDrain' | 'deleteNode' }
>

/** What is done to the node of a machine, by the API of its cluster. */
export const nodeActs = ({
  nodes,
}: Pick<ClusterPorts, 'nodes'>): Acts<typeof Machine, World, NodeStep> => ({
  cordon: ({ node, uid }, { resource, world, write: { signal } }) =>
    nodes.cordon(clusterOf(world), { name: node, uid, by: uidOf(resource) }, signal),

  uncordon: ({ node, uid }, { resource, world, write: { signal } }) =>
    nodes.uncordon(clusterOf(world), { name: node, uid, by: uidOf(resource) }, signal),

  evict: ({ pods }, { world, write: { signal } }) =>
    nodes.evictPods(clusterOf(world), pods, signal),

  deletePods: ({ pods }, { world, write: { signal } }) =>
    nodes.deletePods(clusterOf(world), pods, signal),

  giveUpDrain: ({ node, uid }, { resource, world, write: { signal } }) => {
    const drained = { name: node, uid, by: uidOf(resource), isStopped: true }
    return nodes.uncordon(clusterOf(world), drained, signal)
  },

  deleteNode: ({ node, uid }, { world, write: { signal } }) =>
    nodes.deleteNode(clusterOf(world), { name: node, uid }, signal),
})

const uidOf = ({ metadata }: Machine): string => metadata.uid ?? ''

function clusterOf({ parent }: World): string {
  if (parent.is !== 'there') throw new Error('the plan is not of this look')
  return keyOf(parent.controlPlane)
}
