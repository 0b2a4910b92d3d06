import type { Kind, KubeObject } from '#api/meta.ts'
import { fingerprint } from '#base/fingerprint.ts'
import { sameJson } from '#base/same-json.ts'
import type { Change } from '#kube/cache.ts'
import { hasFinalizer } from './finalizer.ts'
import type { Priority } from './queue-order.ts'
import { ourPartOf } from './status.ts'

/**
 * How urgently a change of a resource itself wants a pass, if at all. What a pass has just written of the
 * status (`reported` is its fingerprint) is no news, and would never come to an end.
 */
export function urgencyOf(
  kind: Kind,
  change: Change<KubeObject>,
  reported: string | undefined,
): Priority | undefined {
  if (change.type !== 'changed') return 'edit'
  const { object, previous } = change
  if (isEdited(change)) return 'edit'
  if (hasFinalizer(kind, previous) && !hasFinalizer(kind, object)) return 'change'
  const said = ourPartOf(kind, object.status)
  if (sameJson(said, ourPartOf(kind, previous.status))) return undefined
  return fingerprint(said) === reported ? undefined : 'change'
}

/**
 * How urgently a resource wants its first pass: what was edited, made or deleted while nobody ran goes first, then what was
 * under way or not well, and then what was as it is to be.
 */
export function firstUrgencyOf({ metadata, status }: KubeObject): Priority {
  const known = new Map(entriesOf(status))
  const isSeen = known.get('observedGeneration') === metadata.generation
  if (!isSeen || metadata.deletionTimestamp !== undefined) return 'edit'
  return isReadyIn(known.get('conditions')) ? 'resync' : 'change'
}

const isReadyIn = (conditions: unknown): boolean =>
  Array.isArray(conditions) &&
  conditions.some((one) => Object(one).type === 'Ready' && Object(one).status === 'True')

/** Whether more than the status is another, and than annotations that do not count. */
const isEdited = (change: Change<KubeObject>, quiet: readonly string[] = []): boolean =>
  change.type !== 'changed' ||
  !sameJson(countedOf(change.object, quiet), countedOf(change.previous, quiet))

function countedOf(object: KubeObject, quiet: readonly string[]) {
  const editable = editableOf(object)
  const annotations = Object.entries(editable.annotations ?? {})
  return {
    ...editable,
    annotations: Object.fromEntries(annotations.filter(([key]) => !quiet.includes(key))),
  }
}

interface Declared {
  statusFields?: readonly string[]
  quietAnnotations?: readonly string[]
  wakingStatus?: readonly string[]
}

/** Whether a change matters to those who name, own or made the object, by how its kind is declared to be read. */
export function mattersTo(
  { statusFields, quietAnnotations }: Declared,
  change: Change<KubeObject>,
): boolean {
  if (!statusFields || change.type !== 'changed') return true
  if (isEdited(change, quietAnnotations)) return true
  const { object, previous } = change
  // How far it is gone is what others wait for.
  if (object.metadata.deletionTimestamp !== undefined) return true
  return isOtherIn(statusFields, object.status, previous.status)
}

/** Whether a change matters to those whom the object's kind is declared to wake, though they do not name it. */
export function mattersBesides(
  { wakingStatus, quietAnnotations }: Declared,
  change: Change<KubeObject>,
): boolean {
  if (!wakingStatus) return isEdited(change, quietAnnotations)
  const before = change.type === 'changed' ? change.previous.status : undefined
  return isOtherIn(wakingStatus, change.object.status, before)
}

function isOtherIn(fields: readonly string[], now: unknown, before: unknown): boolean {
  const [after, earlier] = [new Map(entriesOf(now)), new Map(entriesOf(before))]
  return fields.some((field) => !sameJson(after.get(field), earlier.get(field)))
}

const entriesOf = (status: unknown): [string, unknown][] =>
  typeof status === 'object' && status !== null ? Object.entries(status) : []

/** What users edit. The spec is in there as its generation, and the object as its uid. */
export const editableOf = ({ metadata }: KubeObject) => ({
  uid: metadata.uid,
  generation: metadata.generation,
  deletionTimestamp: metadata.deletionTimestamp,
  annotations: metadata.annotations,
  labels: metadata.labels,
  ownerReferences: metadata.ownerReferences,
})
