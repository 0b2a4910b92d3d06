import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Steps } from '#apiserver/steps.ts'
import { isDeepEqual } from './compare.ts'
import { conflictFailure } from './conflicts.ts'
import { difference, type FieldSet, isEmpty, isSameSet } from './field-set.ts'
import { takenFromLastApplied } from './last-applied.ts'
import { type Owners, type Ownership, ownerId } from './managed-fields.ts'
import { merge } from './merge.ts'
import { prune } from './prune.ts'
import { rootShapeOf } from './shape.ts'
import { Change, conflictsOf, type Door, loseTo } from './transfer.ts'
import { withoutServerFields } from './update-ownership.ts'

/** A configuration, what it claims, and what it is laid over. */
export interface Claim {
  readonly door: Door
  readonly writer: string
  readonly now: string
  readonly config: Fields
  readonly set: FieldSet
  /** Without `managedFields`. */
  readonly object: Fields
  readonly owners: Owners
}

/** An object with a configuration laid over it; the one of the claim itself if that changes nothing. */
export interface Laid {
  readonly object: Fields
  readonly owners: Owners
}

/** Lays a configuration over an object. Throws an `ApiFailure` if others would lose something. */
export function* lay(claim: Claim, force: boolean): Steps<Laid> {
  const { door, writer } = claim
  const owner = {
    writer,
    operation: 'Apply' as const,
    apiVersion: door.apiVersion,
    subresource: door.subresource ?? '',
  }
  const id = ownerId(owner)
  const last = claim.owners.get(id)
  const owners = new Map(claim.owners).set(id, {
    ...last,
    ...owner,
    set: claim.set,
    time: last?.time,
  })
  const set = yield* sameAs(last, yield* withoutServerFields(claim.set))
  yield
  const merged = yield* mergedOf(claim)
  yield
  const object = set === last?.set ? merged : yield* pruned(merged, { last, owners, claim })
  yield
  const change = new Change(door, claim.object, object)
  if (!force) yield* checkConflicts(claim, owners, yield* conflictsOf(change, owners, id))
  const isSame = object === claim.object || (yield* isDeepEqual(object, claim.object))
  yield
  const after = yield* loseTo(change, owners, id)
  if (isEmpty(set)) after.delete(id)
  else {
    after.set(id, {
      ...owner,
      ...(last?.source && { source: last.source }),
      set,
      time: isSame ? last?.time : claim.now,
    })
  }
  return { object: isSame ? claim.object : object, owners: after }
}

/** Keeps the set that was there if it is no other, so that its entry need not be written anew. */
function* sameAs(last: Ownership | undefined, set: FieldSet): Steps<FieldSet> {
  return last !== undefined && (yield* isSameSet(set, last.set)) ? last.set : set
}

function* mergedOf({ object, config, door }: Claim): Steps<Fields> {
  const merged = yield* merge(object, config, rootShapeOf(door.schema))
  return isFields(merged) ? merged : object
}

interface Before {
  readonly last: Ownership | undefined
  readonly owners: Owners
  readonly claim: Claim
}

function* pruned(merged: Fields, { last, owners, claim }: Before): Steps<Fields> {
  if (last === undefined) return merged
  return yield* prune(merged, { last, owners, set: claim.set }, claim.door)
}

type Conflicts = ReadonlyMap<string, FieldSet>

/** What kubectl once applied on its own side is its to take over. */
function* checkConflicts(claim: Claim, owners: Owners, conflicts: Conflicts): Steps<void> {
  if (conflicts.size === 0) return
  const { writer, object, door } = claim
  const allowed = writer === 'kubectl' ? yield* takenFromLastApplied(object, door) : undefined
  if (allowed === undefined) throw yield* conflictFailure(conflicts, owners)
  const rest = new Map<string, FieldSet>()
  for (const [id, set] of conflicts) {
    const left = yield* difference(set, allowed)
    if (!isEmpty(left)) rest.set(id, left)
  }
  if (rest.size > 0) throw yield* conflictFailure(rest, owners)
}
