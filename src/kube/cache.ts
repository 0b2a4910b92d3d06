import type { KubeObject } from '#api/meta.ts'

declare const fromCache: unique symbol

/**
 * An object as a cache has it: shared, and without what nobody here reads. It is good for looking at.
 * Written back it would take away what is missing, so the client refuses it at compile time.
 */
export type Cached<Object> = Object & { readonly [fromCache]?: true }

/** What is not from a cache, nor made of it by adding to a copy. */
export interface Uncached {
  readonly [fromCache]?: never
}

/** Something that became different. Who listens gets the object as it is now, and as it was. */
export type Change<Object> =
  | { type: 'added'; object: Cached<Object> }
  | { type: 'changed'; object: Cached<Object>; previous: Cached<Object> }
  | { type: 'removed'; object: Cached<Object> }

/** What an object is found by, besides its name. One object may have several values, or none. */
export type Index<Object> = (object: Object) => Iterable<string>

/** Finds objects by the uid of an owner of theirs. */
export const byOwner: Index<KubeObject> = ({ metadata }) =>
  (metadata.ownerReferences ?? []).map(({ uid }) => uid)

/** Finds objects by the value of one label. */
export const byLabel =
  (label: string): Index<KubeObject> =>
  ({ metadata }) => {
    const value = metadata.labels?.[label]
    return value === undefined ? [] : [value]
  }

/** `namespace/name`, or the name alone for what is in no namespace. */
export const keyOf = ({ metadata }: KubeObject): string =>
  metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`

/** By namespace and name. */
export const inOrder = ({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number =>
  compare(a.namespace ?? '', b.namespace ?? '') || compare(a.name, b.name)

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/**
 * The objects of one watch, as they were last seen. Reading is a look into memory; the objects are
 * shared, and nobody may change them. Listeners are told of what differs, never of what was merely
 * sent again: a new list of the same objects tells them nothing.
 */
export class ObjectCache<Object extends KubeObject> {
  readonly #objects = new Map<string, Cached<Object>>()
  #isInOrder = true
  readonly #indexes: Map<string, { of: Index<Object>; keys: Map<string, Set<string>> }>
  readonly #listeners = new Set<(change: Change<Object>) => void>()
  readonly #onTrouble: (key: string, error: unknown) => void

  /**
   * An index or a listener that throws is reported and otherwise ignored: what one of them makes of
   * one object must not keep the others from all objects.
   */
  constructor(
    indexes: Record<string, Index<Object>> = {},
    onTrouble: (key: string, error: unknown) => void = () => {},
  ) {
    this.#onTrouble = onTrouble
    this.#indexes = new Map(
      Object.entries(indexes).map(([name, of]) => [name, { of, keys: new Map() }]),
    )
  }

  get size(): number {
    return this.#objects.size
  }

  get(key: string): Cached<Object> | undefined {
    return this.#objects.get(key)
  }

  /** All of them, in order. Most are looked at much more often than any is made. */
  values(): Cached<Object>[] {
    if (!this.#isInOrder) this.#putInOrder()
    return [...this.#objects.values()]
  }

  /** The objects that have the value in the index. */
  find(index: string, value: string): Cached<Object>[] {
    const known = this.#indexes.get(index)
    // Nothing found would be believed, and what is there already made a second time.
    if (!known) throw new Error(`this cache has no index ${index}`)
    return [...(known.keys.get(value) ?? [])].flatMap((key) => this.#objects.get(key) ?? [])
  }

  /** How many have the value in the index. */
  count(index: string, value: string): number {
    const known = this.#indexes.get(index)
    if (!known) throw new Error(`this cache has no index ${index}`)
    return known.keys.get(value)?.size ?? 0
  }

  /** Tells the listener of every change from now on, until the returned function is called. */
  listen(listener: (change: Change<Object>) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** An object was seen. Older than what is here, or the same, it is ignored. */
  put(object: Object): void {
    const previous = this.#objects.get(keyOf(object))
    if (!previous || isNewer(object, previous)) this.#store(object, previous)
  }

  /** An object is gone. */
  drop(object: KubeObject): void {
    const key = keyOf(object)
    const previous = this.#objects.get(key)
    // Gone and made anew under the same name: the news of the old one's end comes late.
    if (!previous || isOtherObject(object, previous)) return
    this.#objects.delete(key)
    this.#unindex(key, previous)
    this.#tell({ type: 'removed', object: previous })
  }

  /**
   * These are all the objects that there are (in the namespace, if one is named): what is not among
   * them is gone. They may be older than what is here, after the server was restored from a backup;
   * the list is right all the same.
   */
  replace(objects: Iterable<Object>, namespace?: string): void {
    const isInScope = (key: string) => namespace === undefined || key.startsWith(`${namespace}/`)
    const gone = new Set([...this.#objects.keys()].filter(isInScope))
    for (const object of objects) {
      const key = keyOf(object)
      const previous = this.#objects.get(key)
      gone.delete(key)
      if (!previous || !isSame(object, previous)) this.#store(object, previous)
    }
    for (const key of gone) {
      const object = this.#objects.get(key)
      if (object) this.drop(object)
    }
  }

  #store(object: Object, previous: Cached<Object> | undefined): void {
    const key = keyOf(object)
    if (previous) this.#unindex(key, previous)
    else this.#isInOrder = false
    this.#objects.set(key, object)
    this.#index(key, object)
    this.#tell(previous ? { type: 'changed', object, previous } : { type: 'added', object })
  }

  #putInOrder(): void {
    const objects = [...this.#objects.values()].sort(inOrder)
    this.#objects.clear()
    for (const object of objects) this.#objects.set(keyOf(object), object)
    this.#isInOrder = true
  }

  #index(key: string, object: Object): void {
    for (const { of, keys } of this.#indexes.values()) {
      for (const value of this.#valuesOf(of, object)) {
        const found = keys.get(value)
        if (found) found.add(key)
        else keys.set(value, new Set([key]))
      }
    }
  }

  #unindex(key: string, object: Object): void {
    for (const { of, keys } of this.#indexes.values()) {
      for (const value of this.#valuesOf(of, object)) {
        const found = keys.get(value)
        found?.delete(key)
        // An empty set for each value that ever was would never go away.
        if (found?.size === 0) keys.delete(value)
      }
    }
  }

  #tell(change: Change<Object>): void {
    for (const listener of this.#listeners) {
      try {
        listener(change)
      } catch (error) {
        this.#onTrouble(keyOf(change.object), error)
      }
    }
  }

  #valuesOf(index: Index<Object>, object: Object): string[] {
    try {
      return [...index(object)]
    } catch (error) {
      this.#onTrouble(keyOf(object), error)
      return []
    }
  }
}

/** Whether it is the same version of the same object. */
export const isSame = ({ metadata: one }: KubeObject, { metadata: other }: KubeObject): boolean =>
  one.uid === other.uid && one.resourceVersion === other.resourceVersion

const isOtherObject = (one: KubeObject, other: KubeObject): boolean =>
  one.metadata.uid !== undefined && one.metadata.uid !== other.metadata.uid

/**
 * Whether it is another version. Versions are numbers in every implementation we know and are compared
 * as such (as Kubernetes allows from v1.35 on); where they are not, different is new.
 */
function isNewer(object: KubeObject, previous: KubeObject): boolean {
  if (isOtherObject(object, previous)) return true
  const [now = '', before = ''] = [
    object.metadata.resourceVersion,
    previous.metadata.resourceVersion,
  ]
  if (now === before) return false
  return areNumeric(now, before) ? compareNumbers(now, before) > 0 : true
}

/** Whether a version is the other one, or later. Where versions are not numbers, only if it is. */
export const isAtLeast = (version: string, wanted: string): boolean =>
  version === wanted || (areNumeric(version, wanted) && compareNumbers(version, wanted) > 0)

const areNumeric = (...versions: string[]): boolean =>
  versions.every((version) => /^\d+$/.test(version))

// Longer than a safe integer they may be; digit by digit they compare all the same.
const compareNumbers = (one: string, other: string): number =>
  one.length === other.length ? (one < other ? -1 : Number(one > other)) : one.length - other.length
