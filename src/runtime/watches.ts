import { LABEL_PREFIX } from '#api/labels.ts'
import type { ApiKind, KubeObject, ObjectOf } from '#api/meta.ts'
import type { Clock } from '#base/clock.ts'
import { byOwner, type Cached, type Change, type Index } from '#kube/cache.ts'
import type { KubeClient } from '#kube/client.ts'
import { Discovery, type ServedKind } from '#kube/discovery.ts'
import { Informer, type InformerOptions } from '#kube/informer.ts'
import type { ReflectorState } from '#kube/reflector.ts'
import { kindId } from './kind-id.ts'
import { NamedWatches } from './watches-named.ts'

/** A kind to be watched, and what its objects are to be found by. */
export interface Wanted {
  kind: ApiKind
  indexes?: Readonly<Record<string, Index<KubeObject>>>
}

interface WatchesOptions {
  client: KubeClient
  clock: Clock
  /** Where to look. Empty: everywhere. */
  namespaces: readonly string[]
  /** The kinds that the API need not serve: there are no objects of them then. */
  optionalKinds?: readonly ApiKind[]
  onState?: (kind: ApiKind, state: ReflectorState) => void
  timing?: NonNullable<InformerOptions<ApiKind>['timing']>
}

/** Which of a kind's objects: those of an owner, or those with labels. */
interface Choice {
  ownerUid?: string
  labels?: Readonly<Record<string, string>>
}

/** The caches that controllers read, one for each kind however many read it, and what kinds there are. */
export class Watches {
  /** Of what resources name and no cache shows. Whether they work says nothing of our readiness. */
  readonly named: NamedWatches
  readonly #informers = new Map<string, Informer<ApiKind>>()
  /** By kind and namespace. */
  readonly #brokenSinceMs = new Map<string, { kind: string; sinceMs: number }>()
  readonly #clock: Clock
  readonly #discovery: Discovery
  readonly #namespaces: readonly string[]

  constructor(
    { onState, clock, optionalKinds = [], ...options }: WatchesOptions,
    wanted: readonly Wanted[],
  ) {
    this.#clock = clock
    this.#discovery = new Discovery({ client: options.client, clock })
    this.#namespaces = options.namespaces
    this.named = new NamedWatches({
      ...{ ...options, clock, ...(onState && { onState }) },
      kindOf: (ref, signal) => this.kindOf(ref, signal),
    })
    const optional = new Set(optionalKinds.map(kindId))
    for (const [id, { kind, indexes }] of merged(wanted)) {
      const informer = new Informer<ApiKind>({
        ...options,
        clock,
        kind,
        mayBeMissing: optional.has(id),
        indexes: { owner: byOwner, label: byOurLabels, ...indexes },
        onState: (state, namespace) => {
          this.#note(id, namespace, state)
          onState?.(kind, state)
        },
      })
      this.#informers.set(id, informer)
    }
  }

  /** Whether the kind is watched. */
  has(kind: ApiKind): boolean {
    return this.#informers.has(kindId(kind))
  }

  // The caches are found by their kind, so what is in one is of that kind: overloads say so.
  get<K extends ApiKind>(kind: K, key: string): Cached<ObjectOf<K>> | undefined
  get(kind: ApiKind, key: string): KubeObject | undefined {
    return this.#informer(kind).cache.get(key)
  }

  /** The objects of an owner, or with labels, or all. An index makes the first two cheap. */
  list<K extends ApiKind>(kind: K, choice: Choice): Cached<ObjectOf<K>>[]
  list(kind: ApiKind, { ownerUid, labels = {} }: Choice): KubeObject[] {
    const { cache } = this.#informer(kind)
    if (ownerUid !== undefined) return cache.find('owner', ownerUid)
    const label = Object.entries(labels).find(([key]) => key.startsWith(LABEL_PREFIX))
    return label ? cache.find('label', label.join('=')) : cache.values()
  }

  /** The objects that have the value in an index of {@link Wanted}. */
  find<K extends ApiKind>(kind: K, index: string, value: string): Cached<ObjectOf<K>>[]
  find(kind: ApiKind, index: string, value: string): KubeObject[] {
    return this.#informer(kind).cache.find(index, value)
  }

  /** How many these are, without looking at any. */
  count(kind: ApiKind, index: string, value: string): number {
    return this.#informer(kind).cache.count(index, value)
  }

  /** Calls back for every change of the kind's objects, until the returned function is called. */
  listen(kind: ApiKind, listener: (change: Change<KubeObject>) => void): () => void {
    return this.#informer(kind).cache.listen(listener)
  }

  /** The kind that a reference names, watched or not; undefined where the API does not serve it. */
  kindOf(
    ref: { apiVersion: string; kind: string },
    signal: AbortSignal,
  ): Promise<ServedKind | undefined> {
    return this.#discovery.kindOf(ref, signal)
  }

  /**
   * Whether the cache shows what was written as this version, or what became of it since. What is in a
   * namespace that is not watched is never shown, and counts as seen.
   */
  hasSeen(kind: ApiKind, key: string, resourceVersion: string): boolean {
    const isWatched =
      kind.scope === 'Cluster' ||
      this.#namespaces.length === 0 ||
      this.#namespaces.some((namespace) => key.startsWith(`${namespace}/`))
    return !isWatched || this.#informer(kind).hasSeen(key, resourceVersion)
  }

  /** The kinds that were not listed yet. */
  get unsynced(): string[] {
    return [...this.#informers].filter(([, { hasSynced }]) => !hasSynced).map(([id]) => id)
  }

  /** How many objects of each kind there are. */
  get sizes(): Record<string, number> {
    return Object.fromEntries([...this.#informers].map(([id, { cache }]) => [id, cache.size]))
  }

  /** The kinds that have a broken watch, and for how long. */
  get broken(): { kind: string; forMs: number }[] {
    const now = this.#clock.monotonicMs()
    // Backwards: of several of one kind the oldest counts, which is the first.
    const sinceMs = new Map(
      [...this.#brokenSinceMs.values()].reverse().map((one) => [one.kind, one.sinceMs]),
    )
    return [...sinceMs].map(([kind, since]) => ({ kind, forMs: now - since }))
  }

  /** Resolves when everything was listed once. Rejects with the signal's reason if it aborts first. */
  async whenSynced(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#informers.values()].map((one) => one.whenSynced(signal)))
  }

  /** Keeps the caches as the server is until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#informers.values(), this.named].map((one) => one.run(signal)))
  }

  #informer(kind: ApiKind): Informer<ApiKind> {
    const informer = this.#informers.get(kindId(kind))
    if (!informer) throw new Error(`${kindId(kind)} is not watched`)
    return informer
  }

  #note(kind: string, namespace: string, { state }: ReflectorState): void {
    const watch = `${kind} ${namespace}`
    if (state === 'failed' && !this.#brokenSinceMs.has(watch))
      this.#brokenSinceMs.set(watch, { kind, sinceMs: this.#clock.monotonicMs() })
    if (state === 'watching' || state === 'missing') this.#brokenSinceMs.delete(watch)
  }
}

function merged(wanted: readonly Wanted[]): Map<string, Wanted> {
  const all = new Map<string, Wanted>()
  for (const { kind, indexes } of wanted) {
    const known = all.get(kindId(kind))
    all.set(kindId(kind), { kind, indexes: { ...known?.indexes, ...indexes } })
  }
  return all
}

const byOurLabels: Index<KubeObject> = ({ metadata }) =>
  Object.entries(metadata.labels ?? {})
    .filter(([key]) => key.startsWith(LABEL_PREFIX))
    .map((label) => label.join('='))
