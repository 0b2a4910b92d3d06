import { type Fields, fieldsAt, timestampOf } from '#apiserver/objects.ts'
import { type FieldSet, setOf } from '#apiserver/ownership/field-set.ts'
import type { Door } from '#apiserver/ownership/transfer.ts'
import { updateOwnershipInSteps } from '#apiserver/ownership/update-ownership.ts'
import type { Behaviour, Resource } from '#apiserver/resource.ts'
import { atOnce, type Steps } from '#apiserver/steps.ts'
import { apiVersionOf } from '#apiserver/stored-object.ts'
import type { Ask, Writes } from './ask.ts'

const STATUS = setOf(['f:status'])
const SPEC = setOf(['f:spec'])
const ALL_BUT_STATUS = setOf(['f:metadata'], ['f:spec'])

/** The way by which an ask comes in, as ownership sees it. */
export function doorOf({ resource, subresource }: Ask): Door {
  const reset = resetBy(resource, subresource)
  return {
    apiVersion: apiVersionOf(resource.group, resource.version),
    schema: resource.schema,
    ...(subresource && { subresource }),
    ...(resource.isCustom && { isCustom: true }),
    ...(reset && { reset }),
  }
}

function resetBy(resource: Resource, subresource: string): FieldSet | undefined {
  const { subresources, isCustom, behaviour } = resource
  if (subresource === 'status') return isCustom ? ALL_BUT_STATUS : resetByStatus(behaviour)
  return subresources.some(({ name }) => name === 'status') ? STATUS : undefined
}

const resets = new WeakMap<Behaviour, FieldSet>()

function resetByStatus(behaviour: Behaviour): FieldSet {
  const { statusKeeps } = behaviour
  if (!statusKeeps) return SPEC
  const known = resets.get(behaviour) ?? setOf(['f:spec'], ...statusKeeps)
  resets.set(behaviour, known)
  return known
}

const empties = new WeakMap<Resource, Fields>()

/**
 * A new object of a kind, with nothing in it: of a built-in kind, what is there even if nobody said it.
 * It is shared: do not change it.
 */
export function emptyOf(resource: Resource): Fields {
  const known = empties.get(resource)
  if (known) return known
  const { isCustom, group, version, kind, decode } = resource
  const head = { apiVersion: apiVersionOf(group, version), kind }
  const empty = isCustom ? head : atOnce(decode(head)).object
  empties.set(resource, empty)
  return empty
}

interface Pair {
  /** Left out: the object is new. */
  live?: Fields
  next: Fields
}

/** The next object with what follows from the write for who owns its fields. */
export const ownedAsUpdated = (writes: Writes, ask: Ask, pair: Pair): Fields =>
  atOnce(ownedInSteps(writes, ask, pair))

/** The same, with pauses. */
export function* ownedInSteps(writes: Writes, ask: Ask, { live, next }: Pair): Steps<Fields> {
  const managedFields = yield* updateOwnershipInSteps({
    door: doorOf(ask),
    live: live ?? emptyOf(ask.resource),
    next,
    writer: ask.owner,
    now: timestampOf(writes.clock.now()),
  })
  const { managedFields: _, ...metadata } = fieldsAt(next, 'metadata')
  return { ...next, metadata: { ...metadata, ...(managedFields && { managedFields }) } }
}
