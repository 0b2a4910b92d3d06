import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import type { CacheReader } from '#runtime/reader.ts'
import { clusterNameOf } from './shape.ts'
import type { World } from './world.ts'

/** How clusters are found by what they are called. */
export const byClusterName = (cluster: KubernetesCluster): string[] => [clusterNameOf(cluster)]

/**
 * Who goes by the name of a cluster already, that has nothing of its own yet. What is called by it in a namespace is one
 * cluster's alone: whoever has Machines has the name, and before that whoever came first.
 */
export function namesakeOf(
  cluster: KubernetesCluster,
  { machines, talos }: Pick<World, 'machines' | 'talos'>,
  read: CacheReader,
): string | undefined {
  if (machines.length > 0 || talos.controlPlane || talos.workers.length > 0) return undefined
  const hasMachines = ({ metadata }: KubernetesCluster) =>
    read.list(ProvidedMachine, { ownerUid: metadata.uid ?? '' }).length > 0
  return read
    .find(KubernetesCluster, 'name', clusterNameOf(cluster))
    .filter(({ metadata }) => metadata.namespace === cluster.metadata.namespace)
    .filter(({ metadata }) => metadata.uid !== cluster.metadata.uid)
    .find((other) => hasMachines(other) || cameBefore(other, cluster))?.metadata.name
}

const cameBefore = (one: KubernetesCluster, other: KubernetesCluster): boolean =>
  ageOf(one) < ageOf(other)

/** Of two of the same second the name decides. One that is not there yet would come after all that are. */
const ageOf = ({ metadata }: KubernetesCluster): string =>
  `${metadata.creationTimestamp ?? 'never'} ${metadata.name}`
