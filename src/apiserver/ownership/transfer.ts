import type { Fields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { compare, type Difference } from './compare.ts'
import { deepDifference, difference, type FieldSet, intersection, isEmpty } from './field-set.ts'
import type { Owners, Ownership } from './managed-fields.ts'
import { fitToShape } from './named-fields.ts'
import { rootShapeOf } from './shape.ts'

/** An object in some version, and the schema of that. */
export interface Versioned {
  readonly object: Fields
  readonly schema: Schema
}

/** The way in by which an object is written. */
export interface Door {
  /** `apps/v1`: the version of the request, in which `schema` is. */
  readonly apiVersion: string
  readonly schema: Schema
  /** `status`, `scale` …; left out for the object itself. */
  readonly subresource?: string
  /** The objects are of a CRD. */
  readonly isCustom?: boolean
  /** What cannot be written by this way in, and so is owned by nobody who comes that way. */
  readonly reset?: FieldSet
  /**
   * An object in another version of its kind; undefined when there is no such version (any more).
   * Left out: all versions are the same.
   */
  inVersion?(object: Fields, apiVersion: string): Versioned | undefined
}

export const toVersion = (door: Door, object: Fields, apiVersion: string): Versioned | undefined =>
  apiVersion === door.apiVersion || door.inVersion === undefined
    ? { object, schema: door.schema }
    : door.inVersion(object, apiVersion)

/** A change of an object, as each version sees it. */
export class Change {
  readonly #door: Door
  readonly #before: Fields
  readonly #after: Fields
  readonly #known = new Map<string, Difference | undefined>()

  constructor(door: Door, before: Fields, after: Fields) {
    this.#door = door
    this.#before = before
    this.#after = after
  }

  /** What differs; undefined when there is no such version. */
  *in(apiVersion: string): Steps<Difference | undefined> {
    if (!this.#known.has(apiVersion)) this.#known.set(apiVersion, yield* this.#compare(apiVersion))
    return this.#known.get(apiVersion)
  }

  *#compare(apiVersion: string): Steps<Difference | undefined> {
    const before = toVersion(this.#door, this.#before, apiVersion)
    const after = toVersion(this.#door, this.#after, apiVersion)
    if (before === undefined || after === undefined) return undefined
    const found = yield* compare(before.object, after.object, rootShapeOf(after.schema))
    const { reset, isCustom, subresource, apiVersion: own } = this.#door
    // Kubernetes does not know of it in the other versions of a CRD, but for its status.
    const isReset = apiVersion === own || !isCustom || subresource !== undefined
    if (reset === undefined || !isReset) return found
    return {
      changed: yield* deepDifference(found.changed, reset),
      removed: yield* deepDifference(found.removed, reset),
    }
  }
}

/** The owners as the schemas are today; without those in versions that are gone. */
export function* fitOwners(door: Door, owners: Owners): Steps<Map<string, Ownership>> {
  const out = new Map<string, Ownership>()
  for (const [id, ownership] of owners) {
    const schema = schemaOf(door, ownership.apiVersion)
    if (schema === undefined) continue
    const set = yield* fitToShape(ownership.set, rootShapeOf(schema))
    if (isDue()) yield
    out.set(id, set === ownership.set ? ownership : { ...ownership, set })
  }
  return out
}

const schemaOf = (door: Door, apiVersion: string): Schema | undefined =>
  toVersion(door, { apiVersion: door.apiVersion }, apiVersion)?.schema

/** Of each other owner, what of its own a change gives another value. */
export function* conflictsOf(
  change: Change,
  owners: Owners,
  self: string,
): Steps<Map<string, FieldSet>> {
  const conflicts = new Map<string, FieldSet>()
  for (const [id, { apiVersion, set }] of owners) {
    const found = id === self ? undefined : yield* change.in(apiVersion)
    const lost = found === undefined ? undefined : yield* intersection(set, found.changed)
    if (lost !== undefined && !isEmpty(lost)) conflicts.set(id, lost)
  }
  return conflicts
}

/** What the others still own after a change: neither what has another value now nor what is gone. */
export function* loseTo(
  change: Change,
  owners: Owners,
  self: string,
): Steps<Map<string, Ownership>> {
  const out = new Map<string, Ownership>()
  for (const [id, ownership] of owners) {
    if (id === self) {
      out.set(id, ownership)
      continue
    }
    if (isDue()) yield
    const found = yield* change.in(ownership.apiVersion)
    if (found === undefined) continue
    const kept = yield* difference(ownership.set, found.changed)
    const set = yield* difference(kept, found.removed)
    if (!isEmpty(set)) out.set(id, set === ownership.set ? ownership : { ...ownership, set })
  }
  return out
}
