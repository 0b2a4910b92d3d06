import type { ApiKind, ObjectOf } from '#api/meta.ts'
import { onAbort } from '#base/on-abort.ts'
import { type Index, isAtLeast, ObjectCache } from './cache.ts'
import { Lean } from './lean.ts'
import { typeMeta } from './paths.ts'
import { Reflector, type ReflectorOptions, type ReflectorState } from './reflector.ts'

export interface InformerOptions<K extends ApiKind>
  extends Omit<ReflectorOptions<K>, 'cache' | 'selection' | 'onState'> {
  /** Where to look. Empty: in all namespaces. */
  namespaces?: readonly string[]
  labelSelector?: string
  fieldSelector?: string
  indexes?: Record<string, Index<ObjectOf<K>>>
  /** Told of every step; the namespace is empty where all are watched as one. */
  onState?: (state: ReflectorState, namespace: string) => void
}

// What these hold is often large and often secret: nobody gets a copy of all of them.
const NEVER_ALL = new Set(['secrets', 'configmaps'])

/** A cache of a kind's objects that is kept as the server is, in all namespaces or in some. */
export class Informer<K extends ApiKind> {
  readonly cache: ObjectCache<ObjectOf<K>>
  /** By namespace; the empty one stands for all. */
  readonly #reflectors: Map<string, Reflector<K>>
  readonly #unlisted: Set<string>
  readonly #waiting = new Set<() => void>()

  constructor({ namespaces = [], indexes = {}, onState, ...options }: InformerOptions<K>) {
    const { kind, labelSelector, fieldSelector } = options
    const selectors = {
      ...(labelSelector && { labelSelector }),
      ...(fieldSelector && { fieldSelector }),
    }
    if (kind.group === '' && NEVER_ALL.has(kind.plural) && Object.keys(selectors).length === 0) {
      throw new Error(`${kind.plural} are only watched by name or by label, never all of them`)
    }
    const lean = new Lean(typeMeta(kind))
    const project = options.project ?? ((object) => object)
    this.cache = new ObjectCache(indexes, (key, error) =>
      onState?.({ state: 'troubled', key, error }, ''),
    )
    // What is in no namespace is watched as one, whatever namespaces are asked for.
    const isDivided = kind.scope === 'Namespaced' && namespaces.length > 0
    this.#unlisted = new Set(isDivided ? namespaces : [''])
    this.#reflectors = new Map(
      [...this.#unlisted].map((namespace) => [
        namespace,
        new Reflector<K>({
          ...options,
          cache: this.cache,
          selection: { ...selectors, ...(namespace && { namespace }) },
          project: (object) => project(lean.strip(object)),
          onState: (state) => {
            if (state.state === 'listed' || state.state === 'missing') this.#listed(namespace)
            onState?.(state, namespace)
          },
        }),
      ]),
    )
  }

  /** Whether everything was listed once, or is not served. Before that, what is not in the cache may still exist. */
  get hasSynced(): boolean {
    return this.#unlisted.size === 0
  }

  /** Whether the cache shows what was written as this version, or what became of it since. */
  hasSeen(key: string, resourceVersion: string): boolean {
    const kept = this.cache.get(key)?.metadata.resourceVersion ?? ''
    const namespace = key.slice(0, Math.max(0, key.indexOf('/')))
    const reflector = this.#reflectors.get(namespace) ?? this.#reflectors.get('')
    return [kept, reflector?.version ?? ''].some((seen) => isAtLeast(seen, resourceVersion))
  }

  /** Resolves when everything was listed once. Rejects with the signal's reason if it aborts first. */
  whenSynced(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      if (this.hasSynced) return resolve()
      const leave = onAbort(signal, () => {
        this.#waiting.delete(done)
        reject(signal.reason)
      })
      const done = () => {
        leave()
        resolve()
      }
      this.#waiting.add(done)
    })
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#reflectors.values()].map((reflector) => reflector.run(signal)))
  }

  #listed(namespace: string): void {
    this.#unlisted.delete(namespace)
    if (!this.hasSynced) return
    for (const done of this.#waiting) done()
    this.#waiting.clear()
  }
}
