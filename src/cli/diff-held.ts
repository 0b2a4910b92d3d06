import type { ApiKind, KubeObject, ObjectOf } from '#api/meta.ts'
import { type Cached, inOrder } from '#kube/cache.ts'
import type { AnyRef } from '#runtime/fetch-any-object.ts'

/** Objects of one namespace: as they are, or as they would be. */
export class HeldObjects {
  readonly #objects: ReadonlyMap<string, KubeObject>

  constructor(objects: readonly KubeObject[]) {
    this.#objects = new Map(objects.map((object) => [idOf(object), object]))
  }

  // They are found by their kind, so what is found is of that kind: overloads say so.
  get<K extends ApiKind>(kind: K, name: string): Cached<ObjectOf<K>> | undefined
  get({ kind }: ApiKind, name: string): KubeObject | undefined {
    return this.#objects.get(idOf({ kind, metadata: { name } }))
  }

  /** The one that somebody refers to. */
  named({ apiVersion, kind, name }: AnyRef): KubeObject | undefined {
    const object = this.#objects.get(idOf({ kind, metadata: { name } }))
    return object?.apiVersion === apiVersion ? object : undefined
  }

  /** Those of an owner, or all, sorted by name. */
  list<K extends ApiKind>(kind: K, choice?: { ownerUid?: string }): Cached<ObjectOf<K>>[]
  list({ kind }: ApiKind, { ownerUid }: { ownerUid?: string } = {}): KubeObject[] {
    const isOwned = ({ metadata }: KubeObject) =>
      ownerUid === undefined || (metadata.ownerReferences ?? []).some(({ uid }) => uid === ownerUid)
    return [...this.#objects.values()]
      .filter((object) => object.kind === kind && isOwned(object))
      .sort(inOrder)
  }

  /** The same with these, in the place of those that have their names. */
  with(objects: readonly KubeObject[]): HeldObjects {
    return new HeldObjects([...this.#objects.values(), ...objects])
  }

  without(object: KubeObject): HeldObjects {
    return new HeldObjects([...this.#objects.values()].filter((one) => idOf(one) !== idOf(object)))
  }
}

/** What an object is told from the others of its namespace by. */
export const idOf = ({ kind = '', metadata }: KubeObject): string => `${kind} ${metadata.name}`
