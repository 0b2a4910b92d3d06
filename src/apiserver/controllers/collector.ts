import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { paceOf } from '#apiserver/pace.ts'
import type { Resource } from '#apiserver/resource.ts'
import { inTurns, isDue, type Steps } from '#apiserver/steps.ts'
import { apiVersionOf, collectionOf, keyOf, metadataInSteps } from '#apiserver/stored-object.ts'
import { type OwnerGraph, type OwnerReference, ownersIn } from './owner-graph.ts'
import { edit, type Place, readInSteps, removeIfThere, type World } from './world.ts'

const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'

/** What has become of an owner: it is there, it waits for its dependents to go, or it is gone. */
type Standing = 'solid' | 'waiting' | 'gone'

/** Those that were looked for already. */
type Kinds = Map<string, Resource | undefined>

interface Dependent {
  place: Place
  object: Fields
}

/** Decides about one object at a time what its owners, or its dependents, make of it. */
export class Collector {
  readonly #world: World
  readonly #graph: OwnerGraph

  constructor(world: World, graph: OwnerGraph) {
    this.#world = world
    this.#graph = graph
  }

  async look(key: string): Promise<void> {
    const place = this.#placeAt(key)
    const object = place && (await this.#inTurns(readInSteps(this.#world, place)))
    if (!place || !object) return
    const metadata = fieldsAt(object, 'metadata')
    const finalizers = metadata.deletionTimestamp ? listAt(metadata, 'finalizers') : []
    if (finalizers.includes(ORPHAN)) return this.#orphan(place, object)
    if (finalizers.includes(FOREGROUND)) await this.#deleteDependents(place, object)
    await this.#judge(place, object)
  }

  /** The keys of an object's owners, as far as their kinds are known. */
  *ownerKeys(object: Fields): Steps<string[]> {
    const namespace = namespaceOf(object)
    const kinds: Kinds = new Map()
    const keys: string[] = []
    for (const reference of yield* ownersIn(object)) {
      if (isDue()) yield
      const place = this.#ownerPlace(reference, namespace, kinds)
      if (place) keys.push(keyOf(place.resource, place.namespace, place.name))
    }
    return keys
  }

  /** Deletes an object that has owners and none that is still there; drops the references to those that are not. */
  async #judge(place: Place, object: Fields): Promise<void> {
    const owners = await this.#inTurns(ownersIn(object))
    if (owners.length === 0) return
    const standings = await this.#inTurns(this.#standings(owners, namespaceOf(object)))
    if (standings.every((one) => one === 'solid')) return
    const { uid, deletionTimestamp } = fieldsAt(object, 'metadata')
    if (standings.includes('solid')) {
      const left = new Set(
        owners.filter((_, index) => standings[index] === 'solid').map((one) => one.uid),
      )
      return edit(this.#world, place, (copy) =>
        withOwners(copy, (one) => left.has(String(one.uid))),
      )
    }
    if (deletionTimestamp) return
    const dependents = standings.includes('waiting') ? await this.#dependentsOf(String(uid)) : []
    const isForeground = dependents.length > 0
    // Two that hold each other would wait for ever.
    if (dependents.some((one) => isWaiting(one.object))) await this.#unblock(place)
    await removeIfThere(this.#world, place, {
      preconditions: { uid },
      ...(isForeground && { propagation: 'Foreground' as const }),
    })
  }

  *#standings(owners: readonly OwnerReference[], namespace: string): Steps<Standing[]> {
    const kinds: Kinds = new Map()
    const standings: Standing[] = []
    for (const one of owners) {
      if (isDue()) yield
      standings.push(yield* this.#standing(one, this.#ownerPlace(one, namespace, kinds)))
    }
    return standings
  }

  *#standing({ uid }: OwnerReference, place: Place | undefined): Steps<Standing> {
    // Nothing is deleted because of an owner that we cannot look for.
    if (!place) return 'solid'
    const entry = this.#world.store.get(keyOf(place.resource, place.namespace, place.name))
    const metadata = entry && (yield* metadataInSteps(entry))
    if (metadata?.uid !== uid) return 'gone'
    return isWaiting({ metadata }) ? 'waiting' : 'solid'
  }

  #inTurns<Result>(steps: Steps<Result>): Result | Promise<Result> {
    return inTurns(paceOf(this.#world.clock), steps)
  }

  async #deleteDependents(place: Place, owner: Fields): Promise<void> {
    const { uid } = fieldsAt(owner, 'metadata')
    const dependents = await this.#dependentsOf(String(uid))
    for (const { place: dependent, object } of dependents) await this.#judge(dependent, object)
    const left = await this.#dependentsOf(String(uid))
    if (!(await this.#inTurns(isBlocked(left, String(uid))))) await this.#release(place, FOREGROUND)
  }

  /** Lets the owners of an object go before it. */
  #unblock(place: Place): Promise<void> {
    return edit(this.#world, place, (copy) => {
      const metadata = fieldsAt(copy, 'metadata')
      const ownerReferences = listAt(metadata, 'ownerReferences').map((one) =>
        isFields(one) && one.blockOwnerDeletion ? { ...one, blockOwnerDeletion: false } : one,
      )
      return { ...copy, metadata: { ...metadata, ownerReferences } }
    })
  }

  async #orphan(place: Place, owner: Fields): Promise<void> {
    const { uid } = fieldsAt(owner, 'metadata')
    for (const dependent of await this.#dependentsOf(String(uid))) {
      await edit(this.#world, dependent.place, (copy) => withOwners(copy, (one) => one.uid !== uid))
    }
    await this.#release(place, ORPHAN)
  }

  async #dependentsOf(uid: string): Promise<Dependent[]> {
    return this.#inTurns(this.#read(this.#graph.dependentsOf(uid)))
  }

  *#read(keys: readonly string[]): Steps<Dependent[]> {
    const found: Dependent[] = []
    for (const key of keys) {
      const place = this.#placeAt(key)
      const object = place && (yield* readInSteps(this.#world, place))
      if (object) found.push({ place, object })
      yield
    }
    return found
  }

  #release(place: Place, finalizer: string): Promise<void> {
    return edit(this.#world, place, (copy) => {
      const metadata = fieldsAt(copy, 'metadata')
      const { finalizers: before, ...rest } = metadata
      const finalizers = listAt({ before }, 'before').filter((one) => one !== finalizer)
      return { ...copy, metadata: { ...rest, ...(finalizers.length > 0 && { finalizers }) } }
    })
  }

  #placeAt(key: string): Place | undefined {
    const resource = this.#world.kinds.all.find(
      (one) => key.startsWith(collectionOf(one)) && isStoredVersion(one),
    )
    if (!resource) return undefined
    const [first = '', second] = key.slice(collectionOf(resource).length).split('/')
    return second === undefined
      ? { resource, namespace: '', name: first }
      : { resource, namespace: first, name: second }
  }

  #ownerPlace(
    { apiVersion, kind, name }: OwnerReference,
    namespace: string,
    kinds: Kinds,
  ): Place | undefined {
    const id = `${apiVersion} ${kind}`
    const resource = kinds.has(id)
      ? kinds.get(id)
      : this.#world.kinds.all.find(
          (one) => one.kind === kind && apiVersionOf(one.group, one.version) === apiVersion,
        )
    kinds.set(id, resource)
    if (!resource || (resource.namespaced && !namespace)) return undefined
    return { resource, namespace: resource.namespaced ? namespace : '', name }
  }
}

const isStoredVersion = ({ group, plural, version, stored }: Resource): boolean =>
  stored.group === group && stored.plural === plural && stored.version === version

const namespaceOf = (object: Fields): string =>
  textAt(fieldsAt(object, 'metadata'), 'namespace') ?? ''

/** Whether an object is deleted as soon as its dependents are. */
function isWaiting(object: Fields): boolean {
  const { deletionTimestamp, ...metadata } = fieldsAt(object, 'metadata')
  return deletionTimestamp !== undefined && listAt(metadata, 'finalizers').includes(FOREGROUND)
}

/** Whether one of its dependents keeps an owner from going. */
function* isBlocked(dependents: readonly Dependent[], uid: string): Steps<boolean> {
  for (const { object } of dependents) {
    for (const owner of yield* ownersIn(object)) {
      if (owner.uid === uid && owner.blockOwnerDeletion) return true
    }
  }
  return false
}

function withOwners(object: Fields, keep: (reference: Fields) => boolean): Fields {
  const metadata = fieldsAt(object, 'metadata')
  const ownerReferences = listAt(metadata, 'ownerReferences').filter(
    (one) => isFields(one) && keep(one),
  )
  const { ownerReferences: _, ...rest } = metadata
  return {
    ...object,
    metadata: { ...rest, ...(ownerReferences.length > 0 && { ownerReferences }) },
  }
}
