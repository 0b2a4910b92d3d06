import type { ApiKind, KubeObject, ObjectOf } from '#api/meta.ts'
import { OperatorError } from '#base/operator-error.ts'
import { type Cached, inOrder } from '#kube/cache.ts'
import type { KubeClient } from '#kube/client.ts'
import { type Fetched, fetchAny } from './fetch-any.ts'
import type { AnyRef } from './fetch-any-object.ts'
import { kindId } from './kind-id.ts'
import type { Watches } from './watches.ts'

/** Which objects of a kind. Left out: all of the resource's namespace. */
export interface Choice {
  /** Those that have all of these labels. */
  labels?: Readonly<Record<string, string>>
  /** Those that have an owner with this uid. */
  ownerUid?: string
  /** Those of every namespace that we watch, and not only of the resource's. */
  everywhere?: boolean
}

/**
 * How a controller looks into the caches: only at its own kind and at those that it declares. What is
 * there is shared, nobody may change it, and it is never older than what this controller itself wrote.
 */
export interface CacheReader {
  /** One object from the cache, of the resource's namespace if it does not say. */
  get<K extends ApiKind>(kind: K, name: string, namespace?: string): Cached<ObjectOf<K>> | undefined
  /** Objects from the cache, sorted by namespace and name. */
  list<K extends ApiKind>(kind: K, choice?: Choice): Cached<ObjectOf<K>>[]
  /** Objects of every namespace that its controller finds by this value (see `foundBy`), sorted. */
  find<K extends ApiKind>(kind: K, index: string, value: string): Cached<ObjectOf<K>>[]
  /** How many these are, whatever there is. */
  count(kind: ApiKind, index: string, value: string): number
}

/** How a controller looks at Kubernetes: into the caches, and at what it declares to ask the server for. */
export interface Reader extends CacheReader {
  /** Aborts when the look has taken too long, or when we may no longer act. */
  readonly signal: AbortSignal
  /** One object from the server, as it is now. */
  fetch<K extends ApiKind>(kind: K, name: string): Promise<ObjectOf<K> | undefined>
  /**
   * All objects of a kind in the resource's namespace, from the server. What was there when an object became what it is
   * here is among them, however far behind the caches are.
   */
  fetchAll<K extends ApiKind>(kind: K, since: KubeObject): Promise<ObjectOf<K>[]>
  /**
   * One object of a kind that only a user has named, from the server: of the resource's namespace, or
   * of none where the kind is in none. Only for who declares `readsAny`.
   */
  fetchAny(ref: AnyRef): Promise<Fetched>
}

/** What a controller may look at. */
export interface Reach {
  /** The ids of the kinds that are read from the cache, and of those asked of the server. */
  readonly cached: ReadonlySet<string>
  readonly live: ReadonlySet<string>
  /** Whether objects of any kind may be asked for. */
  readonly any: boolean
}

interface CacheReaderOptions {
  watches: Watches
  reach: Reach
  namespace: string
}

export class DeclaredCacheReader implements CacheReader {
  readonly #options: CacheReaderOptions

  constructor(options: CacheReaderOptions) {
    this.#options = options
  }

  get<K extends ApiKind>(
    kind: K,
    name: string,
    namespace?: string,
  ): Cached<ObjectOf<K>> | undefined {
    mayRead(kind, this.#options.reach.cached)
    return this.#options.watches.get(kind, keyIn(kind, namespace ?? this.#options.namespace, name))
  }

  list<K extends ApiKind>(kind: K, choice: Choice = {}): Cached<ObjectOf<K>>[] {
    mayRead(kind, this.#options.reach.cached)
    const { namespace } = this.#options
    const labels = Object.entries(choice.labels ?? {})
    const isWanted = (object: KubeObject) =>
      (choice.everywhere || kind.scope === 'Cluster' || object.metadata.namespace === namespace) &&
      hasLabels(object, labels)
    // Lists end up in messages: the same objects have to come in the same order.
    return this.#options.watches.list(kind, choice).filter(isWanted).sort(inOrder)
  }

  find<K extends ApiKind>(kind: K, index: string, value: string): Cached<ObjectOf<K>>[] {
    mayRead(kind, this.#options.reach.cached)
    return this.#options.watches.find(kind, index, value).sort(inOrder)
  }

  count(kind: ApiKind, index: string, value: string): number {
    mayRead(kind, this.#options.reach.cached)
    return this.#options.watches.count(kind, index, value)
  }
}

interface ReaderOptions extends CacheReaderOptions {
  client: KubeClient
  signal: AbortSignal
}

export class DeclaredReader extends DeclaredCacheReader implements Reader {
  readonly signal: AbortSignal
  readonly #options: ReaderOptions

  constructor(options: ReaderOptions) {
    super(options)
    this.#options = options
    this.signal = options.signal
  }

  async fetch<K extends ApiKind>(kind: K, name: string): Promise<ObjectOf<K> | undefined> {
    const { client, reach, namespace, signal } = this.#options
    mayRead(kind, reach.live)
    const place = kind.scope === 'Cluster' ? {} : { namespace }
    return client.find(kind, { ...place, name }, { signal })
  }

  async fetchAll<K extends ApiKind>(kind: K, since: KubeObject): Promise<ObjectOf<K>[]> {
    const { client, reach, namespace, signal } = this.#options
    // Who may watch a kind may list it.
    mayRead(kind, reach.cached)
    const notOlderThan = since.metadata.resourceVersion
    const selection = { namespace, ...(notOlderThan && { notOlderThan }) }
    const { items } = await client.list(kind, selection, { signal })
    return items.sort(inOrder)
  }

  async fetchAny(ref: AnyRef): Promise<Fetched> {
    const { reach, ...options } = this.#options
    if (!reach.any) {
      const message = 'reads what a user names, and does not declare that it does (readsAny)'
      throw new OperatorError('NotDeclared', { message })
    }
    return fetchAny(ref, options)
  }
}

function mayRead(kind: ApiKind, declared: ReadonlySet<string>): void {
  if (declared.has(kindId(kind))) return
  throw new OperatorError('NotDeclared', {
    message: `reads ${kind.plural}, which is not among the reads that it declares`,
  })
}

const keyIn = ({ scope }: ApiKind, namespace: string, name: string): string =>
  scope === 'Cluster' ? name : `${namespace}/${name}`

const hasLabels = ({ metadata }: KubeObject, labels: readonly [string, string][]): boolean =>
  labels.every(([key, value]) => metadata.labels?.[key] === value)
