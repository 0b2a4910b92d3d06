import { Cluster } from '#api/cluster.ts'
import type { ObjectMeta } from '#api/meta.ts'

/** The names of the TalosClusters that an object is a part of. */
export const clusterOwners = ({ ownerReferences = [] }: ObjectMeta): string[] =>
  ownerReferences.filter(({ kind }) => kind === Cluster.kind).map(({ name }) => name)
