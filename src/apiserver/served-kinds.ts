import { type Fields, fieldsAt } from './objects.ts'
import type { Resource } from './resource.ts'
import type { Entry, Store } from './store/store.ts'
import { objectIn } from './stored-object.ts'

/** Where CRDs are kept. */
export const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions/'

interface Sources {
  builtin: readonly Resource[]
  /** What a CRD makes the API serve, and since which revision it says so: nothing until it is established. */
  customOf(definition: Fields, since: number): Resource[]
}

/** The kinds that are served at the moment: the built-in ones, and those that CRDs define. */
export class ServedKinds {
  readonly #sources: Sources
  readonly #custom = new Map<string, Resource[]>()
  /** Since when each CRD has said what it says. */
  readonly #since = new Map<string, { generation: unknown; revision: number }>()
  readonly #builtin: ReadonlySet<string>
  readonly #stop: () => void
  #byPath = new Map<string, Resource>()
  #all: readonly Resource[] = []

  constructor(store: Store, sources: Sources) {
    this.#sources = sources
    this.#builtin = new Set(sources.builtin.map(({ group, plural }) => `${group}/${plural}`))
    for (const entry of store.list(DEFINITIONS)) this.#define(entry)
    this.#index()
    this.#stop = store.onChanges((changes) => {
      const own = changes.filter(({ key }) => key.startsWith(DEFINITIONS))
      for (const change of own) {
        if (change.type === 'put') this.#define(change)
        else this.#forget(change.key)
      }
      if (own.length > 0) this.#index()
    })
  }

  /** Another array whenever the set of kinds, or one of them, has changed. */
  get all(): readonly Resource[] {
    return this.#all
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`)
  }

  hasGroup(group: string, version?: string): boolean {
    return this.#all.some(
      (one) => one.group === group && (version === undefined || one.version === version),
    )
  }

  /** Whether a resource is built in, in whichever version. No CRD can take its place. */
  isBuiltin(group: string, plural: string): boolean {
    return this.#builtin.has(`${group}/${plural}`)
  }

  dispose(): void {
    this.#stop()
  }

  #define({ key, revision, value }: Entry): void {
    const definition = objectIn({ value })
    const { generation } = fieldsAt(definition, 'metadata')
    const known = this.#since.get(key)
    // What a CRD says of itself in its status changes nothing about its objects.
    const since = known?.generation === generation ? known?.revision : revision
    this.#since.set(key, { generation, revision: since ?? revision })
    const resources = this.#sources
      .customOf(definition, since ?? revision)
      .filter(({ group, plural }) => !this.isBuiltin(group, plural))
    if (resources.length > 0) this.#custom.set(key, resources)
    else this.#custom.delete(key)
  }

  #forget(key: string): void {
    this.#custom.delete(key)
    this.#since.delete(key)
  }

  #index(): void {
    this.#all = [...this.#sources.builtin, ...[...this.#custom.values()].flat()]
    this.#byPath = new Map(
      this.#all.map((one) => [`${one.group}/${one.version}/${one.plural}`, one]),
    )
  }
}
