import type { Fields } from '#apiserver/objects.ts'
import type { ClusterAddresses } from './cluster-addresses.ts'

/** Where an object is. */
interface ObjectId {
  group: string
  plural: string
  namespace: string
  name: string
}

/** What some kinds have to know of other objects. */
export interface Surroundings {
  /** Objects that belong to no namespace, of one kind: classes of storage, of ingress, of priority. */
  clusterObjects(group: string, plural: string): Iterable<Fields>
  /** One object of a namespace, if it is there. */
  namespacedObject(id: ObjectId): Fields | undefined
  /** The addresses and ports that services have. */
  addresses: ClusterAddresses
}
