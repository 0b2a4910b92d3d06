import { Cluster } from '#api/cluster.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
import { ownerNamesOf } from '#engine/cluster-owners.ts'
import { ApiError } from '#kube/api-error.ts'
import { type Expanded, withParts } from './diff-clusters.ts'
import { type HeldObjects, idOf } from './diff-held.ts'
import type { DiffPorts } from './diff-ports.ts'
import { type ShapeFound, withShapes } from './diff-shapes.ts'
import { StandIns } from './diff-stand-ins.ts'

/** What is to be applied in one namespace. */
export interface Given {
  readonly namespace: string
  /** Clusters and their parts, as the API would have them. */
  readonly accepted: readonly KubeObject[]
  /** What these may refer to, as it is written. */
  readonly further: readonly KubeObject[]
}

/** The names of the clusters that matter: those that are applied, and those that make what is applied. */
interface Wholes {
  readonly clusters: readonly string[]
  readonly shapes: readonly string[]
}

/** The objects of a namespace with all that its clusters make of themselves, and what is to be said of these. */
export interface View extends Pick<Expanded, 'objects' | 'problems' | 'joined'> {
  readonly found: ReadonlyMap<string, ShapeFound>
}

export interface ViewsOf {
  readonly before: View
  readonly after: View
  readonly wholes: Wholes
  readonly standIns: StandIns
}

/** A namespace as it is, and as it would be. */
export async function viewsOf(
  { namespace, accepted, further }: Given,
  live: HeldObjects,
  ports: DiffPorts,
): Promise<ViewsOf> {
  const wholes = {
    clusters: wholesOf(Cluster, accepted, live),
    shapes: wholesOf(KubernetesCluster, accepted, live),
  }
  const standIns = new StandIns()
  const elsewhere = wholes.shapes.length > 0 ? await shapesElsewhere(namespace, ports) : []
  const viewOf = async (objects: HeldObjects, given: readonly KubeObject[]): Promise<View> => {
    const { objects: parted, ...clusters } = withParts(objects, wholes.clusters)
    const options = { names: wholes.shapes, namespace, elsewhere, standIns }
    const ids = new Set(given.map(idOf))
    return { ...clusters, ...(await withShapes(parted, { ...options, given: ids }, ports)) }
  }
  const before = await viewOf(live, [])
  const after = await viewOf(live.with([...accepted, ...further]), accepted)
  return { before, after, wholes, standIns }
}

function wholesOf(kind: Kind, accepted: readonly KubeObject[], live: HeldObjects): string[] {
  const own = accepted.filter((one) => one.kind === kind.kind).map(({ metadata }) => metadata.name)
  const owners = accepted.flatMap(({ metadata }) => ownerNamesOf(kind, metadata))
  return [...new Set([...own, ...owners.filter((name) => live.get(kind, name))])]
}

/** Two clusters at one endpoint are told of, wherever they are; who may not look everywhere does not hear of it. */
async function shapesElsewhere(
  namespace: string,
  { client, signal }: DiffPorts,
): Promise<KubernetesCluster[]> {
  try {
    const { items } = await client.list(KubernetesCluster, {}, { signal })
    return items.filter(({ metadata }) => metadata.namespace !== namespace)
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'Forbidden') return []
    throw error
  }
}
