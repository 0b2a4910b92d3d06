import type { Cancel } from '#base/clock.ts'
import type {
  MachineResource,
  ResourceChange,
  ResourceStore,
} from '#simulator/resources/resource-store.ts'
import { definitionResources } from './definitions.ts'

const NAMESPACE = 'meta'
const TYPE = 'ResourceDefinitions.meta.cosi.dev'

/**
 * The resources of a machine together with the catalogue of their types. The catalogue is the same for all machines of a
 * version, and by far the most of what each shows, so there is only one.
 */
export class WithCatalogue implements ResourceStore {
  readonly #own: ResourceStore
  readonly #minor: () => number | undefined

  /** Without a minor version, as while a machine is off, the catalogue is empty. */
  constructor(own: ResourceStore, minor: () => number | undefined) {
    this.#own = own
    this.#minor = minor
  }

  get bookmark(): number {
    return this.#own.bookmark
  }

  get(namespace: string, type: string, id: string): MachineResource | undefined {
    if (!isCatalogue(namespace, type)) return this.#own.get(namespace, type, id)
    return this.#catalogue.find((resource) => resource.id === id)
  }

  list(namespace: string, type: string): readonly MachineResource[] {
    return isCatalogue(namespace, type) ? this.#catalogue : this.#own.list(namespace, type)
  }

  changesSince(
    bookmark: number,
    namespace: string,
    type: string,
  ): readonly ResourceChange[] | undefined {
    return this.#own.changesSince(bookmark, namespace, type)
  }

  onChange(listener: (change: ResourceChange) => void): Cancel {
    return this.#own.onChange(listener)
  }

  get #catalogue(): readonly MachineResource[] {
    const minor = this.#minor()
    return minor === undefined ? [] : catalogueOf(minor)
  }
}

const isCatalogue = (namespace: string, type: string): boolean =>
  namespace === NAMESPACE && type === TYPE

const catalogues = new Map<number, readonly MachineResource[]>()

function catalogueOf(minor: number): readonly MachineResource[] {
  const known = catalogues.get(minor)
  if (known) return known
  const made = definitionResources(minor)
    .map(({ id, spec }) => resourceOf(id, spec))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  catalogues.set(minor, made)
  return made
}

const resourceOf = (id: string, spec: unknown): MachineResource => ({
  namespace: NAMESPACE,
  type: TYPE,
  id,
  version: 1,
  owner: '',
  phase: 'running',
  // No type has changed since there are machines here.
  createdMs: 0,
  updatedMs: 0,
  labels: new Map(),
  annotations: new Map(),
  spec,
})
