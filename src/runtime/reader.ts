import type { ApiKind, KubeObject, ObjectOf } from '#api/meta.ts'
import { OperatorError } from '#base/operator-error.ts'
import type { Cached } from '#kube/cache.ts'
import type { KubeClient } from '#kube/client.ts'
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
 * How a controller looks: only at its own kind and at those that it declares. What comes from the cache
 * is shared, nobody may change it, and it is never older than what this controller itself wrote.
 */
export interface Reader {
  /** Aborts when the look has taken too long, or when we may no longer act. */
  readonly signal: AbortSignal
  /** One object from the cache, of the resource's namespace if it does not say. */
  get<K extends ApiKind>(kind: K, name: string, namespace?: string): Cached<ObjectOf<K>> | undefined
  /** Objects from the cache, sorted by namespace and name. */
  list<K extends ApiKind>(kind: K, choice?: Choice): Cached<ObjectOf<K>>[]
  /** One object from the server, as it is now. */
  fetch<K extends ApiKind>(kind: K, name: string): Promise<ObjectOf<K> | undefined>
}

interface ReaderOptions {
  watches: Watches
  client: KubeClient
  /** The ids of the kinds that are read from the cache, and of those asked of the server. */
  cached: ReadonlySet<string>
  live: ReadonlySet<string>
  namespace: string
  signal: AbortSignal
}

export class DeclaredReader implements Reader {
  readonly signal: AbortSignal
  readonly #options: ReaderOptions

  constructor(options: ReaderOptions) {
    this.#options = options
    this.signal = options.signal
  }

  get<K extends ApiKind>(
    kind: K,
    name: string,
    namespace?: string,
  ): Cached<ObjectOf<K>> | undefined {
    this.#mayRead(kind, this.#options.cached)
    return this.#options.watches.get(kind, keyIn(kind, namespace ?? this.#options.namespace, name))
  }

  list<K extends ApiKind>(kind: K, choice: Choice = {}): Cached<ObjectOf<K>>[] {
    this.#mayRead(kind, this.#options.cached)
    const { namespace } = this.#options
    const isWanted = (object: KubeObject) =>
      (choice.everywhere || kind.scope === 'Cluster' || object.metadata.namespace === namespace) &&
      hasLabels(object, choice.labels ?? {})
    return this.#options.watches.list(kind, choice).filter(isWanted).sort(byKey)
  }

  async fetch<K extends ApiKind>(kind: K, name: string): Promise<ObjectOf<K> | undefined> {
    this.#mayRead(kind, this.#options.live)
    const { client, namespace, signal } = this.#options
    const place = kind.scope === 'Cluster' ? {} : { namespace }
    return client.find(kind, { ...place, name }, { signal })
  }

  #mayRead(kind: ApiKind, declared: ReadonlySet<string>): void {
    if (declared.has(kindId(kind))) return
    throw new OperatorError('NotDeclared', {
      message: `reads ${kind.plural}, which is not among the reads that it declares`,
    })
  }
}

const keyIn = ({ scope }: ApiKind, namespace: string, name: string): string =>
  scope === 'Cluster' ? name : `${namespace}/${name}`

const hasLabels = ({ metadata }: KubeObject, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)

// Lists end up in messages: the same objects have to come in the same order.
const byKey = ({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number =>
  compare(a.namespace ?? '', b.namespace ?? '') || compare(a.name, b.name)

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
