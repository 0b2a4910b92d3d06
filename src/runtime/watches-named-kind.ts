import type { ApiKind, ForeignKind } from '#api/meta.ts'
import { type Clock, sleep } from '#base/clock.ts'
import { fingerprint } from '#base/fingerprint.ts'
import { type Change, ObjectCache } from '#kube/cache.ts'
import type { KubeClient, Selection } from '#kube/client.ts'
import type { ServedKind } from '#kube/discovery.ts'
import { Reflector, type ReflectorOptions, type ReflectorState } from '#kube/reflector.ts'
import { type AnyObject, isSecret } from './fetch-any-object.ts'

// A kind that is not served may be installed at any time; who waits for it is woken besides.
const LOOK_AGAIN_MS = 30_000

/** Who depends on an object, and on what of it. */
export interface Follower {
  /** Where the object is, if its kind is in a namespace at all. */
  readonly namespace: string
  /** Left out: everything but the metadata. */
  readonly part?: (object: object) => unknown
  readonly wake: () => void
}

/** What every watch is made with. */
export interface NamedTools {
  client: KubeClient
  clock: Clock
  kindOf(
    ref: { apiVersion: string; kind: string },
    signal: AbortSignal,
  ): Promise<ServedKind | undefined>
  onState?: (kind: ApiKind, state: ReflectorState) => void
  timing?: NonNullable<ReflectorOptions<ApiKind>['timing']>
}

interface Watched {
  apiVersion: string
  kind: string
  selection: Selection
}

/**
 * A watch of a kind that wakes those who depend on some of its objects. Of an object nothing is kept but
 * who it is and a fingerprint of what matters to them: what else changes wakes nobody.
 */
export class NamedWatch {
  readonly #watched: Watched
  readonly #tools: NamedTools
  /** By the names of the objects. */
  readonly #followers = new Map<string, Set<Follower>>()
  #isWell = false

  constructor(watched: Watched, tools: NamedTools) {
    this.#watched = watched
    this.#tools = tools
  }

  /** Whether every change is seen. */
  get isWell(): boolean {
    return this.#isWell
  }

  get hasFollowers(): boolean {
    return this.#followers.size > 0
  }

  add(name: string, follower: Follower): void {
    const known = this.#followers.get(name)
    if (known) known.add(follower)
    else this.#followers.set(name, new Set([follower]))
  }

  remove(name: string, follower: Follower): void {
    const known = this.#followers.get(name)
    known?.delete(follower)
    if (known?.size === 0) this.#followers.delete(name)
  }

  wakeAll(): void {
    for (const followers of this.#followers.values()) {
      for (const { wake } of followers) wake()
    }
  }

  /** Runs until the signal aborts, or until it is known that the kind is never watched. Rejects never. */
  async run(signal: AbortSignal): Promise<void> {
    const kind = await this.#whenServed(signal)
    if (!kind || isSecret(kind)) return
    const { client, clock, timing, onState } = this.#tools
    const { namespace, ...selectors } = this.#watched.selection
    const isIn = kind.scope === 'Namespaced' && namespace !== undefined
    const cache = new ObjectCache<AnyObject>({}, (key, error) =>
      onState?.(kind, { state: 'troubled', key, error }),
    )
    cache.listen((change) => this.#heed(change))
    const foreign: ForeignKind<AnyObject> = kind
    const reflector = new Reflector<ForeignKind<AnyObject>>({
      ...{ client, clock, cache, kind: foreign, ...(timing && { timing }) },
      selection: { ...selectors, ...(isIn && { namespace }) },
      project: (object) => this.#project(object),
      onState: (state) => {
        this.#note(state)
        onState?.(kind, state)
      },
    })
    await reflector.run(signal)
  }

  async #whenServed(signal: AbortSignal): Promise<ServedKind | undefined> {
    while (!signal.aborted) {
      const kind = await this.#tools.kindOf(this.#watched, signal).catch(() => undefined)
      if (kind?.verbs.includes('list') && kind.verbs.includes('watch')) return kind
      await sleep(this.#tools.clock, LOOK_AGAIN_MS, signal).catch(() => {})
    }
    return undefined
  }

  #note(state: ReflectorState): void {
    if (state.state === 'failed') this.#isWell = false
    if (state.state === 'watching') this.#isWell = true
    // What they saw may have been otherwise before the first list, and also whether they may see it.
    if (state.state === 'listed' && state.why === 'start') this.wakeAll()
  }

  #heed(change: Change<AnyObject>): void {
    if (change.type === 'changed' && isAsBefore(change.object, change.previous)) return
    for (const { wake } of this.#followersOf(change.object)) wake()
  }

  #project(object: AnyObject): AnyObject {
    const parts = this.#followersOf(object).map(({ part = allButMetadata }) => part(object))
    const { name, namespace, uid, resourceVersion } = object.metadata
    return {
      metadata: {
        name,
        ...(namespace !== undefined && { namespace }),
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      },
      // Most objects of a kind are nobody's.
      parts: parts.length === 0 ? '' : fingerprint(parts),
    }
  }

  #followersOf({ metadata }: AnyObject): Follower[] {
    const { name, namespace } = metadata
    return [...(this.#followers.get(name) ?? [])].filter(
      (one) => namespace === undefined || one.namespace === namespace,
    )
  }
}

const isAsBefore = (object: AnyObject, previous: AnyObject): boolean =>
  object.metadata.uid === previous.metadata.uid && object.parts === previous.parts

const allButMetadata = (object: object): unknown => ({ ...object, metadata: undefined })
