import { isDeepStrictEqual } from 'node:util'
import type { Cancel, Clock } from '#base/clock.ts'
import type { MachineResource, ResourceChange, ResourceStore } from './resource-store.ts'

// A client that was away for longer begins anew.
const REMEMBERED = 200
const NOTHING: ReadonlyMap<string, string> = new Map()

/** What is to be shown; everything else follows. */
export interface ShownResource {
  namespace: string
  type: string
  id: string
  spec: unknown
  /** The controller that shows it. */
  owner?: string
  labels?: ReadonlyMap<string, string>
  annotations?: ReadonlyMap<string, string>
}

/** The resources of one machine. */
export class MachineResources implements ResourceStore {
  readonly #clock: Clock
  readonly #types = new Map<string, Map<string, MachineResource>>()
  readonly #listeners = new Set<(change: ResourceChange) => void>()
  #changes: ResourceChange[] = []
  #bookmark = 0
  // Bookmarks from before this are of another boot.
  #firstBookmark = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get bookmark(): number {
    return this.#bookmark
  }

  get(namespace: string, type: string, id: string): MachineResource | undefined {
    return this.#types.get(placeOf(namespace, type))?.get(id)
  }

  list(namespace: string, type: string): readonly MachineResource[] {
    const found = [...(this.#types.get(placeOf(namespace, type))?.values() ?? [])]
    return found.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  changesSince(
    bookmark: number,
    namespace: string,
    type: string,
  ): readonly ResourceChange[] | undefined {
    const oldest = this.#changes[0]?.bookmark ?? this.#bookmark + 1
    const isKnown = bookmark >= this.#firstBookmark && bookmark <= this.#bookmark
    if (!isKnown || bookmark < oldest - 1) return undefined
    return this.#changes.filter(
      ({ bookmark: at, resource }) =>
        at > bookmark && resource.namespace === namespace && resource.type === type,
    )
  }

  onChange(listener: (change: ResourceChange) => void): Cancel {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Shows something, or shows it anew if it differs from what is shown; as it is shown then. */
  put({
    namespace,
    type,
    id,
    spec,
    owner = '',
    labels,
    annotations,
  }: ShownResource): MachineResource {
    const old = this.get(namespace, type, id)
    const [itsLabels, itsAnnotations] = [labels ?? NOTHING, annotations ?? NOTHING]
    const isSame =
      old &&
      isDeepStrictEqual([old.spec, old.labels, old.annotations], [spec, itsLabels, itsAnnotations])
    if (isSame) return old
    const nowMs = this.#clock.now().getTime()
    const resource: MachineResource = {
      ...{ namespace, type, id, spec, owner, phase: 'running', updatedMs: nowMs },
      ...{ labels: itsLabels, annotations: itsAnnotations },
      version: (old?.version ?? 0) + 1,
      createdMs: old?.createdMs ?? nowMs,
    }
    this.#placed(namespace, type).set(id, resource)
    this.#tell(old ? 'updated' : 'created', resource, old)
    return resource
  }

  destroy(namespace: string, type: string, id: string): void {
    const old = this.get(namespace, type, id)
    if (!old) return
    this.#placed(namespace, type).delete(id)
    this.#tell('destroyed', old, undefined)
  }

  /** As after a boot: nothing is shown, and nothing remembered. Those who watched are told nothing; they lose their connection. */
  clear(): void {
    this.#types.clear()
    this.#changes = []
    this.#bookmark++
    this.#firstBookmark = this.#bookmark
  }

  #placed(namespace: string, type: string): Map<string, MachineResource> {
    const place = placeOf(namespace, type)
    const known = this.#types.get(place) ?? new Map()
    this.#types.set(place, known)
    return known
  }

  #tell(
    type: ResourceChange['type'],
    resource: MachineResource,
    old: MachineResource | undefined,
  ): void {
    const change = { type, resource, old, bookmark: ++this.#bookmark }
    this.#changes.push(change)
    if (this.#changes.length > REMEMBERED) this.#changes.shift()
    for (const listener of [...this.#listeners]) listener(change)
  }
}

const placeOf = (namespace: string, type: string): string => `${namespace}/${type}`
