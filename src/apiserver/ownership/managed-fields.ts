import { type Fields, fieldsAt, isFields, listAt } from '#apiserver/objects.ts'
import { sortedInSteps } from '#apiserver/sort-steps.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import type { FieldSet } from './field-set.ts'
import { readFieldsV1, writeFieldsV1 } from './fields-v1.ts'
import { PathElementError } from './path-element.ts'

/** Who wrote in which way: what tells one entry of `managedFields` from another. */
export interface Owner {
  readonly writer: string
  readonly operation: 'Apply' | 'Update'
  /** In which version the set is; for an update also a part of the identity. */
  readonly apiVersion: string
  readonly subresource: string
}

/** What an owner owns. */
export interface Ownership extends Owner {
  readonly set: FieldSet
  readonly time: string | undefined
  /** The entry that it was read from, and what that said. */
  readonly source?: { readonly entry: Fields; readonly set: FieldSet }
}

/** All owners of an object, by identity. */
export type Owners = ReadonlyMap<string, Ownership>

/** The identity of an owner: JSON, because Kubernetes orders owners by it. */
export const ownerId = ({ writer, operation, apiVersion, subresource }: Owner): string =>
  JSON.stringify({
    ...(writer && { manager: writer }),
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource && { subresource }),
  })

/** What `managedFields` say; undefined when they are not as they must be. */
export function* readManagedFields(
  entries: readonly unknown[],
): Steps<Map<string, Ownership> | undefined> {
  const owners = new Map<string, Ownership>()
  for (const entry of entries) {
    const ownership = isFields(entry) ? yield* readEntry(entry) : undefined
    if (isDue()) yield
    if (ownership === undefined) return undefined
    owners.set(ownerId(ownership), ownership)
  }
  return owners
}

function* readEntry(entry: Fields): Steps<Ownership | undefined> {
  const { operation, apiVersion, fieldsType, time } = entry
  if (operation !== 'Apply' && operation !== 'Update') return undefined
  if (typeof apiVersion !== 'string' || apiVersion === '') return undefined
  if (fieldsType !== 'FieldsV1') return undefined
  try {
    const set = yield* readFieldsV1(entry.fieldsV1)
    return {
      writer: typeof entry.manager === 'string' ? entry.manager : '',
      operation,
      apiVersion,
      subresource: typeof entry.subresource === 'string' ? entry.subresource : '',
      time: typeof time === 'string' ? time : undefined,
      set,
      source: { entry, set },
    }
  } catch (error) {
    if (error instanceof PathElementError) return undefined
    throw error
  }
}

/** The owners as `managedFields`, in the order of Kubernetes. */
export function* writeManagedFields(owners: Owners): Steps<Fields[]> {
  const entries: Fields[] = []
  for (const ownership of yield* sortedInSteps([...owners.values()], compareOwners)) {
    entries.push(yield* writeEntry(ownership))
    if (isDue()) yield
  }
  return entries
}

function* writeEntry(ownership: Ownership): Steps<Fields> {
  const { writer, operation, apiVersion, subresource, time, set, source } = ownership
  const isAsRead =
    source !== undefined &&
    source.set === set &&
    source.entry.time === time &&
    source.entry.apiVersion === apiVersion
  if (isAsRead) return source.entry
  return {
    ...(writer && { manager: writer }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: source?.set === set ? source.entry.fieldsV1 : yield* writeFieldsV1(set),
    ...(subresource && { subresource }),
  }
}

function compareOwners(a: Ownership, b: Ownership): number {
  return (
    compareTexts(a.operation, b.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareTexts(a.writer, b.writer) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  )
}

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

export const secondsOf = (time: string | undefined): number =>
  time === undefined ? 0 : Math.floor(Date.parse(time) / 1000) || 0

/** The entries of an object, as they are. */
export const managedFieldsOf = (object: Fields): unknown[] =>
  listAt(fieldsAt(object, 'metadata'), 'managedFields')

/** An object with no `managedFields`; shares everything else. */
export function withoutManagedFields(object: Fields): Fields {
  const { metadata } = object
  if (!isFields(metadata) || metadata.managedFields === undefined) return object
  const { managedFields: _, ...rest } = metadata
  return { ...object, metadata: rest }
}
