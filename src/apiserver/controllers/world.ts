import { ApiFailure } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { copyInSteps } from '#apiserver/ownership/copy.ts'
import type { User } from '#apiserver/request.ts'
import type { Resource } from '#apiserver/resource.ts'
import type { ServedKinds } from '#apiserver/served-kinds.ts'
import type { Steps } from '#apiserver/steps.ts'
import type { Change } from '#apiserver/store/store.ts'
import { keyOf, served, servedInSteps } from '#apiserver/stored-object.ts'
import type { Ask, Writes } from '#apiserver/write/ask.ts'
import { create } from '#apiserver/write/create.ts'
import { decoded } from '#apiserver/write/decode-body.ts'
import { evict } from '#apiserver/write/evict.ts'
import { ownedInSteps } from '#apiserver/write/owned.ts'
import { remove } from '#apiserver/write/remove.ts'
import type { RemoveOptions } from '#apiserver/write/remove-options.ts'
import { updateInSteps } from '#apiserver/write/update.ts'
import type { Log } from '#base/log.ts'

/** What the API's own controllers work with: they read and write in this process, by the usual rules. */
export interface World extends Writes {
  kinds: ServedKinds
  log: Log
}

/** A change, or something that was there from the start. */
export type Seen = Pick<Change, 'type' | 'key' | 'value' | 'previous'>

/** A controller of the API itself. It follows changes, and does what follows from them. */
export interface Housekeeper {
  /** Called with what there is at the start, as if it had just been put there, and with each change. */
  see(change: Seen): void
  stop(): void
}

export interface Place {
  resource: Resource
  namespace: string
  name: string
}

/** A place, and who is said to own the fields that are written there; nobody, if the text is empty. */
export type OwnedPlace = Place & { owner?: string }

const SELF: User = { name: 'system:kube-controller-manager', groups: ['system:masters'] }

const askFor = (place: OwnedPlace, subresource = ''): Ask => ({
  resource: place.resource,
  namespace: place.namespace,
  name: place.name,
  subresource,
  user: SELF,
  owner: place.owner ?? 'kube-controller-manager',
  dryRun: false,
  fieldValidation: 'Ignore',
  warn: () => undefined,
})

/** A built-in kind, which is always there. */
export function builtin({ kinds }: World, group: string, plural: string): Resource {
  const found = kinds.all.find(
    (one) => one.group === group && one.plural === plural && !one.isCustom,
  )
  if (!found) throw new Error(`${plural} of ${group || 'the core'} are not served`)
  return found
}

export function read({ store }: World, { resource, namespace, name }: Place): Fields | undefined {
  const entry = store.get(keyOf(resource, namespace, name))
  return entry && served(resource, entry)
}

/** The same, with pauses. */
export function* readInSteps(
  { store }: World,
  { resource, namespace, name }: Place,
): Steps<Fields | undefined> {
  const entry = store.get(keyOf(resource, namespace, name))
  return entry && (yield* servedInSteps(resource, entry))
}

/** Changes an object if it is there and `edit`, which may change its copy in place, returns one. */
export async function edit(
  world: World,
  place: OwnedPlace & { subresource?: string },
  edit: (copy: Fields) => Fields | undefined,
): Promise<void> {
  const ask = askFor(place, place.subresource)
  await ignoring('NotFound', () =>
    updateInSteps(world, ask, function* (live) {
      const next = edit(yield* copyInSteps(live))
      return next && ask.owner ? yield* ownedInSteps(world, ask, { live, next }) : next
    }),
  )
}

/** Creates an object unless there is one of its name. */
export async function createIfMissing(
  world: World,
  place: OwnedPlace,
  fields: Fields,
): Promise<void> {
  if (read(world, place)) return
  const { resource, namespace, name } = place
  const { group, version, kind } = resource
  const given = {
    apiVersion: group ? `${group}/${version}` : version,
    kind,
    ...fields,
    metadata: { name, ...(namespace && { namespace }), ...fieldsAt(fields, 'metadata') },
  }
  const ask = askFor(place)
  await ignoring('AlreadyExists', () =>
    create(world, ask, { object: decoded(ask, { given }), isOwned: ask.owner === '' }),
  )
}

export async function removeIfThere(
  world: World,
  place: Place,
  options: RemoveOptions = {},
): Promise<void> {
  await ignoring('NotFound', () => remove(world, askFor(place), options))
}

/** Takes a pod away, as far as disruption budgets allow it; fails as the API does. */
export const evictPod = (world: World, place: Place, gracePeriodSeconds: number): Promise<void> =>
  evict(world, askFor(place), {
    budgets: builtin(world, 'policy', 'poddisruptionbudgets'),
    options: { gracePeriodSeconds },
  })

const AT_ONCE = 50

/** Deletes whatever of this is there, some of it at a time. */
export async function removeEach(
  world: World,
  places: readonly Place[],
  options: RemoveOptions = {},
): Promise<void> {
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const some = places.slice(from, from + AT_ONCE)
    await Promise.all(some.map((one) => removeIfThere(world, one, options)))
  }
}

async function ignoring(reason: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.reason !== reason) throw error
  }
}

/** Where an object of a kind is. */
export function placeOf(resource: Resource, object: Fields): Place {
  const metadata = fieldsAt(object, 'metadata')
  const [name = '', namespace = ''] = [textAt(metadata, 'name'), textAt(metadata, 'namespace')]
  return { resource, namespace, name }
}
