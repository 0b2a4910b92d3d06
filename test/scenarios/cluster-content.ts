import type { ApiKind, ObjectOf } from '#api/meta.ts'
import type { Fleet } from '#simulator/fleet/fleet.ts'

/** The objects of a kind in all simulated clusters, whether their APIs answer or not. Of one that was recovered, the last counts. */
export async function objectsIn<K extends ApiKind>(
  { clusters }: Fleet,
  kind: K,
): Promise<ObjectOf<K>[]> {
  const halves = clusters.flatMap((cluster) => cluster.halves.slice(-1))
  const contents = await Promise.all(halves.map(({ kubernetes }) => kubernetes.snapshot()))
  return contents
    .flatMap(({ entries }) => entries)
    .filter(({ key }) =>
      key.startsWith(`/registry/${kind.group && `${kind.group}/`}${kind.plural}/`),
    )
    .map(({ value }) => JSON.parse(Buffer.from(value).toString()))
}
