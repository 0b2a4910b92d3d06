import type { KubeObject } from './objects.ts'
import type { ServedResource } from './resources.ts'

/** One object came, changed or went. */
export interface Change {
  /** The resourceVersion that it made. */
  version: number
  resource: ServedResource
  before?: KubeObject
  after?: KubeObject
}

type Listener = (change: Change) => void

/** All objects, with a bounded memory of how they came to be. One version counts over all of them. */
export class Store {
  readonly #historyLimit: number
  readonly #objects = new Map<ServedResource, Map<string, KubeObject>>()
  readonly #listeners = new Set<Listener>()
  #history: Change[] = []
  #version = 0
  /** What happened up to here is no longer known. */
  #forgotten = 0

  constructor(historyLimit: number) {
    this.#historyLimit = historyLimit
  }

  get version(): number {
    return this.#version
  }

  get forgotten(): number {
    return this.#forgotten
  }

  get(resource: ServedResource, name: string, namespace?: string): KubeObject | undefined {
    return this.#objects.get(resource)?.get(key({ name, namespace }))
  }

  /** Stores the object under a new version and returns it as it is stored. */
  put(resource: ServedResource, object: KubeObject): KubeObject {
    const objects = this.#objects.get(resource) ?? new Map<string, KubeObject>()
    const before = objects.get(key(object.metadata))
    const after = withVersion(object, ++this.#version)
    this.#objects.set(resource, objects.set(key(object.metadata), after))
    this.#record({ version: this.#version, resource, after, ...(before && { before }) })
    return after
  }

  remove(resource: ServedResource, { metadata }: KubeObject): void {
    const before = this.#objects.get(resource)?.get(key(metadata))
    if (!before) return
    this.#objects.get(resource)?.delete(key(metadata))
    this.#record({ version: ++this.#version, resource, before })
  }

  /** All objects of the resource as they were at a version, sorted; undefined if that is forgotten. */
  listAt(resource: ServedResource, version: number): KubeObject[] | undefined {
    if (version < this.#forgotten) return undefined
    const objects = new Map(this.#objects.get(resource))
    for (const { before, after } of this.#changesSince(resource, version).reverse()) {
      if (before) objects.set(key(before.metadata), before)
      else if (after) objects.delete(key(after.metadata))
    }
    const names = [...objects.keys()].sort()
    return names.flatMap((name) => objects.get(name) ?? [])
  }

  /** What happened to the resource after a version; undefined if that is forgotten. */
  since(resource: ServedResource, version: number): Change[] | undefined {
    return version < this.#forgotten ? undefined : this.#changesSince(resource, version)
  }

  /** Calls back after each change, in order. Returns how to stop that. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Forgets all that happened, so that every version handed out before is too old. */
  compact(): void {
    this.#history = []
    this.#forgotten = ++this.#version
  }

  #changesSince(resource: ServedResource, version: number): Change[] {
    return this.#history.filter((one) => one.resource === resource && one.version > version)
  }

  #record(change: Change): void {
    this.#history.push(change)
    if (this.#history.length > this.#historyLimit) {
      this.#forgotten = this.#history.shift()?.version ?? this.#forgotten
    }
    for (const listener of this.#listeners) listener(change)
  }
}

/** As the key in etcd, whose order is the order of lists. */
export const key = ({
  namespace,
  name,
}: {
  namespace?: string | undefined
  name: string
}): string => (namespace ? `${namespace}/${name}` : name)

export const withVersion = (object: KubeObject, version: number): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(version) },
})
