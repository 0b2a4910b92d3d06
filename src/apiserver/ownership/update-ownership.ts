import { type Fields, fieldsAt, isFields } from '#apiserver/objects.ts'
import { atOnce, type Steps } from '#apiserver/steps.ts'
import { capUpdates } from './ancient-changes.ts'
import { difference, emptySet, type FieldSet, isEmpty, setOf, union } from './field-set.ts'
import {
  managedFieldsOf,
  type Ownership,
  ownerId,
  readManagedFields,
  withoutManagedFields,
  writeManagedFields,
} from './managed-fields.ts'
import { PathElementError } from './path-element.ts'
import { Change, type Door, fitOwners, loseTo } from './transfer.ts'

/** A write that is no apply: create, update, or one of the other patches. */
export interface Update {
  readonly door: Door
  /** As it is kept; for a new object the empty one of its kind. */
  readonly live: Fields
  /** As it is to be by the request, with defaults, before the server changes anything itself. */
  readonly next: Fields
  readonly writer: string
  /** As timestamps are written. */
  readonly now: string
}

/** The `managedFields` that follow from a write; undefined for none at all. Changes nothing. */
export const updateOwnership = (update: Update): Fields[] | undefined =>
  atOnce(updateOwnershipInSteps(update))

/** The same, with pauses. */
export function* updateOwnershipInSteps(update: Update): Steps<Fields[] | undefined> {
  const { door, live, next } = update
  const owners = yield* ownersBefore(update)
  yield
  // Who owns what is followed from the creation on, or not at all.
  if (owners.size === 0 && isStored(live)) return undefined
  try {
    const change = new Change(door, withoutManagedFields(live), withoutManagedFields(next))
    const given = yield* give(update, change, yield* fitOwners(door, owners))
    const after = yield* capUpdates(given)
    yield
    return after.size === 0 ? undefined : yield* writeManagedFields(after)
  } catch (error) {
    // Kubernetes writes the object without, when it cannot tell the items of a list apart.
    if (error instanceof PathElementError) return undefined
    throw error
  }
}

const isStored = (live: Fields): boolean => {
  const { uid } = fieldsAt(live, 'metadata')
  return typeof uid === 'string' && uid !== ''
}

function* ownersBefore({ door, live, next }: Update): Steps<Map<string, Ownership>> {
  if (door.subresource) return yield* ownersOf(live)
  const asked = fieldsAt(next, 'metadata').managedFields
  // An empty list gets lost when Kubernetes reads the metadata of an object of a CRD.
  if (!Array.isArray(asked) || (door.isCustom && asked.length === 0)) {
    return yield* ownersOf(live)
  }
  if (isReset(asked)) return new Map()
  return (yield* readManagedFields(asked)) ?? (yield* ownersOf(live))
}

function* ownersOf(live: Fields): Steps<Map<string, Ownership>> {
  return (yield* readManagedFields(managedFieldsOf(live))) ?? new Map()
}

/** A list with nothing in it, or with one entry that says nothing. */
const isReset = (entries: readonly unknown[]): boolean =>
  entries.length === 0 ||
  (entries.length === 1 && isFields(entries[0]) && Object.keys(entries[0]).length === 0)

/** Gives the writer what changed. */
export function* give(
  { door, writer, now }: Pick<Update, 'door' | 'writer' | 'now'>,
  change: Change,
  owners: ReadonlyMap<string, Ownership>,
): Steps<Map<string, Ownership>> {
  const after = yield* loseTo(change, owners, '')
  const found = yield* change.in(door.apiVersion)
  const gained = yield* withoutServerFields(found?.changed ?? emptySet)
  if (isEmpty(gained)) return after
  const owner = {
    writer: writer || 'unknown',
    operation: 'Update' as const,
    apiVersion: door.apiVersion,
    subresource: door.subresource ?? '',
  }
  const id = ownerId(owner)
  const before = after.get(id)
  const set = before === undefined ? gained : yield* union(before.set, gained)
  return after.set(id, { ...before, ...owner, set, time: now })
}

const serverFields = setOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ['f:metadata', 'f:name'],
  ['f:metadata', 'f:namespace'],
  ['f:metadata', 'f:creationTimestamp'],
  ['f:metadata', 'f:selfLink'],
  ['f:metadata', 'f:uid'],
  ['f:metadata', 'f:clusterName'],
  ['f:metadata', 'f:generation'],
  ['f:metadata', 'f:managedFields'],
  ['f:metadata', 'f:resourceVersion'],
)

/** A set without what no writer owns. */
export const withoutServerFields = (set: FieldSet): Steps<FieldSet> => difference(set, serverFields)
