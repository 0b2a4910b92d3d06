import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { ApiKind, KubeObject, ObjectOf } from '#api/meta.ts'
import { foundBy } from '#controllers/kubernetes-cluster/observe.ts'
import { type Cached, inOrder } from '#kube/cache.ts'
import type { Fetched } from '#runtime/fetch-any.ts'
import type { AnyRef } from '#runtime/fetch-any-object.ts'
import type { Choice, Reader } from '#runtime/reader.ts'
import type { HeldObjects } from './diff-held.ts'
import type { NamespaceReader } from './diff-ports.ts'

interface Place {
  readonly namespace: string
  readonly held: HeldObjects
  /** KubernetesClusters of other namespaces. */
  readonly elsewhere: readonly KubernetesCluster[]
  /** For what is not among the objects that are held: Secrets. */
  readonly api: NamespaceReader
  readonly signal: AbortSignal
}

/** Lets the controller of KubernetesClusters look at a namespace as it would be. */
export class ShapeReader implements Reader {
  readonly signal: AbortSignal
  readonly #place: Place

  constructor(place: Place) {
    this.signal = place.signal
    this.#place = place
  }

  get<K extends ApiKind>(
    kind: K,
    name: string,
    namespace?: string,
  ): Cached<ObjectOf<K>> | undefined {
    const { held, namespace: own } = this.#place
    return namespace === undefined || namespace === own ? held.get(kind, name) : undefined
  }

  list<K extends ApiKind>(kind: K, { ownerUid }: Choice = {}): Cached<ObjectOf<K>>[] {
    return this.#place.held.list(kind, ownerUid === undefined ? {} : { ownerUid })
  }

  // All indexes are of one kind: overloads say that what is found by them is of that kind.
  find<K extends ApiKind>(kind: K, index: string, value: string): Cached<ObjectOf<K>>[]
  find(_kind: ApiKind, index: string, value: string): KubeObject[] {
    const { held, elsewhere } = this.#place
    const valuesOf = new Map(Object.entries(foundBy)).get(index)
    return [...held.list(KubernetesCluster), ...elsewhere]
      .filter((cluster) => valuesOf?.(cluster).includes(value))
      .sort(inOrder)
  }

  count(kind: ApiKind, index: string, value: string): number {
    return this.find(kind, index, value).length
  }

  fetch<K extends ApiKind>(kind: K, name: string): Promise<ObjectOf<K> | undefined> {
    return this.#place.api.fetch(kind, name)
  }

  async fetchAll<K extends ApiKind>(kind: K): Promise<ObjectOf<K>[]> {
    return this.list(kind)
  }

  /** All of the kinds that the controller asks for are held: what is not there is nowhere. */
  async fetchAny(ref: AnyRef): Promise<Fetched> {
    const object = this.#place.held.named(ref)
    return object ? { is: 'found', object: { ...object } } : { is: 'absent' }
  }
}
