import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import type { Steps } from '#apiserver/steps.ts'
import { difference, type FieldSet, intersection, isEmpty, isSubset, union } from './field-set.ts'
import { fieldSetOf } from './field-set-of.ts'
import type { Owners, Ownership } from './managed-fields.ts'
import { withNamedFields } from './named-fields.ts'
import { removePaths } from './remove.ts'
import { rootShapeOf } from './shape.ts'
import { type Door, toVersion } from './transfer.ts'

/** What an applier owned before, and what all own now, the applier by its new configuration. */
interface Left {
  readonly last: Ownership
  readonly owners: Owners
  /** What the applier owns now. */
  readonly set: FieldSet
}

/**
 * An object without what an applier owned before, has left out now, and nobody else owns. What was
 * never the applier's stays, even if it is in something that goes.
 */
export function* prune(merged: Fields, { last, owners, set }: Left, door: Door): Steps<Fields> {
  if (isEmpty(last.set) || (yield* isSubset(last.set, set))) return merged
  const whole = toVersion(door, merged, last.apiVersion)
  if (whole === undefined) return merged
  const { object, schema } = whole
  yield
  const lastNamed = yield* named(last.set, schema)
  const bare = yield* without(object, lastNamed, schema)
  yield
  const { apiVersion } = last
  const kept = yield* addOwned(door, owners, { apiVersion, whole: object, pruned: bare })
  yield
  const before = yield* namedSetOf(object, schema)
  const gone = yield* difference(before, yield* namedSetOf(kept, schema))
  const pruned = yield* without(object, yield* intersection(gone, lastNamed), schema)
  return toVersion(door, pruned, door.apiVersion)?.object ?? pruned
}

interface Pruning {
  readonly apiVersion: string
  readonly whole: Fields
  readonly pruned: Fields
}

/** Puts back what anybody owns; first what is owned in the version at hand. */
function* addOwned(door: Door, owners: Owners, pruning: Pruning): Steps<Fields> {
  const sets = new Map<string, FieldSet>()
  for (const { apiVersion, set } of owners.values()) {
    const known = sets.get(apiVersion)
    sets.set(apiVersion, known === undefined ? set : yield* union(known, set))
  }
  const first = sets.get(pruning.apiVersion)
  sets.delete(pruning.apiVersion)
  let { pruned } = pruning
  if (first !== undefined) pruned = yield* addOwnedIn(door, first, pruning)
  for (const [apiVersion, set] of sets) {
    pruned = yield* addOwnedIn(door, set, { apiVersion, whole: pruning.whole, pruned })
  }
  return toVersion(door, pruned, pruning.apiVersion)?.object ?? pruned
}

function* addOwnedIn(
  door: Door,
  owned: FieldSet,
  { apiVersion, whole, pruned }: Pruning,
): Steps<Fields> {
  const all = toVersion(door, whole, apiVersion)
  const rest = toVersion(door, pruned, apiVersion)
  if (all === undefined || rest === undefined) return pruned
  const { object, schema } = all
  const left = yield* namedSetOf(rest.object, schema)
  const kept = yield* union(left, yield* named(owned, schema))
  const gone = yield* difference(yield* namedSetOf(object, schema), kept)
  return yield* without(object, gone, schema)
}

const named = (set: FieldSet, schema: Schema): Steps<FieldSet> =>
  withNamedFields(set, rootShapeOf(schema))

function* namedSetOf(object: Fields, schema: Schema): Steps<FieldSet> {
  return yield* named(yield* fieldSetOf(object, rootShapeOf(schema)), schema)
}

function* without(object: Fields, set: FieldSet, schema: Schema): Steps<Fields> {
  const out = yield* removePaths(object, set, rootShapeOf(schema))
  return isFields(out) ? out : {}
}
