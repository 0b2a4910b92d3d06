import { namesIn } from './crd/definition.ts'
import { type KindIndex, kindIndexOf, pathOf } from './kind-index.ts'
import { type Fields, fieldsAt } from './objects.ts'
import type { Resource } from './resource.ts'
import type { Entry, Store } from './store/store.ts'
import { objectIn } from './stored-object.ts'

/** Where CRDs are kept. */
export const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions/'

interface Sources {
  builtin: readonly Resource[]
  /** The same, in the same order, for whoever only tells of them: shared with other APIs. `builtin` itself unless told. */
  described?: readonly Resource[]
  /** What a CRD makes the API serve, and since which revision it says so: nothing until it is established. */
  customOf(definition: Fields, since: number): Resource[]
}

/** What a CRD says of its kind, and since when. */
interface Said {
  /** The same as long as it says the same. */
  identity: string
  revision: number
  /** All of it, as it is now. */
  definition: Fields
  /** Told when it says something else. */
  listeners: Set<() => void>
}

/** The kinds that are served at the moment: the built-in ones, and those that CRDs define. */
export class ServedKinds {
  readonly #sources: Sources
  readonly #custom = new Map<string, Resource[]>()
  readonly #said = new Map<string, Said>()
  readonly #builtin: KindIndex
  readonly #stop: () => void
  #customByPath: ReadonlyMap<string, Resource> = new Map()
  #all: readonly Resource[] = []

  constructor(store: Store, sources: Sources) {
    this.#sources = sources
    this.#builtin = kindIndexOf(sources.described ?? sources.builtin)
    for (const entry of store.list(DEFINITIONS)) this.#define(entry)
    this.#index()
    this.#stop = store.onChanges((changes) => {
      const own = changes.filter(({ key }) => key.startsWith(DEFINITIONS))
      const ended = own.flatMap((change) =>
        change.type === 'put' ? this.#define(change) : this.#forget(change.key),
      )
      if (own.length > 0) this.#index()
      // Everyone hears of the changes first: what follows a kind has then seen all of it.
      queueMicrotask(() => {
        for (const listener of ended) listener()
      })
    })
  }

  /** Another array whenever the set of kinds, or one of them, has changed. */
  get all(): readonly Resource[] {
    return this.#all
  }

  /** The same kinds, for whoever only tells of them. One array for all APIs that serve the same. */
  get described(): readonly Resource[] {
    return this.#custom.size === 0 ? (this.#sources.described ?? this.#all) : this.#all
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    const path = `${group}/${version}/${plural}`
    const position = this.#builtin.positions.get(path)
    return position === undefined ? this.#customByPath.get(path) : this.#sources.builtin[position]
  }

  /**
   * Calls back, once, when a kind is not what it was: its CRD has gone, or says something else of it. That is
   * never so of a built-in kind. Returns a way to stop.
   */
  onEnd({ group, plural, isCustom }: Resource, listener: () => void): () => void {
    const listeners = isCustom && this.#said.get(`${DEFINITIONS}${plural}.${group}`)?.listeners
    if (!listeners) return () => undefined
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  /** A CRD as it is now, by its key, with those of all others. They are shared: do not change them. */
  definition(key: string): { own: Fields | undefined; others: Fields[] } {
    const others = [...this.#said].flatMap(([other, { definition }]) =>
      other === key ? [] : [definition],
    )
    return { own: this.#said.get(key)?.definition, others }
  }

  /** Whether a resource is built in, in whichever version. No CRD can take its place. */
  isBuiltin(group: string, plural: string): boolean {
    return this.#builtin.names.has(`${group}/${plural}`)
  }

  dispose(): void {
    this.#stop()
  }

  /** Returns who is to be told that the kind is another one. */
  #define({ key, revision, value }: Entry): (() => void)[] {
    const parsed = objectIn({ value })
    const identity = identityOf(parsed)
    const known = this.#said.get(key)
    const isSame = known?.identity === identity
    // What has been made of its schemas is kept with them.
    const definition = isSame ? { ...parsed, spec: known.definition.spec } : parsed
    const said = isSame
      ? { ...known, definition }
      : { identity, revision, definition, listeners: new Set<() => void>() }
    this.#said.set(key, said)
    const resources = this.#sources
      .customOf(definition, said.revision)
      .filter(({ group, plural }) => !this.isBuiltin(group, plural))
    if (resources.length > 0) this.#custom.set(key, resources)
    else this.#custom.delete(key)
    return isSame ? [] : [...(known?.listeners ?? [])]
  }

  #forget(key: string): (() => void)[] {
    const listeners = [...(this.#said.get(key)?.listeners ?? [])]
    this.#custom.delete(key)
    this.#said.delete(key)
    return listeners
  }

  #index(): void {
    const custom = [...this.#custom.values()].flat()
    const { builtin } = this.#sources
    this.#all = custom.length === 0 ? builtin : [...builtin, ...custom]
    this.#customByPath = new Map(custom.map((one) => [pathOf(one), one]))
  }
}

/** What it says of its status otherwise changes nothing about its objects. */
function identityOf(definition: Fields): string {
  const { uid, generation } = fieldsAt(definition, 'metadata')
  const accepted = namesIn(fieldsAt(fieldsAt(definition, 'status'), 'acceptedNames'))
  return JSON.stringify([uid, generation, accepted])
}
