import type { Kind, KubeObject } from '#api/meta.ts'
import { fingerprint } from '#base/fingerprint.ts'
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
  if (fingerprint(editableOf(object)) !== fingerprint(editableOf(previous))) return 'edit'
  if (hasFinalizer(kind, previous) && !hasFinalizer(kind, object)) return 'change'
  const said = fingerprint(ourPartOf(kind, object.status))
  const isNews = said !== fingerprint(ourPartOf(kind, previous.status)) && said !== reported
  return isNews ? 'change' : undefined
}

/** What users edit. The spec is in there as its generation, and the object as its uid. */
export const editableOf = ({ metadata }: KubeObject) => ({
  uid: metadata.uid,
  generation: metadata.generation,
  deletionTimestamp: metadata.deletionTimestamp,
  annotations: metadata.annotations,
  labels: metadata.labels,
  ownerReferences: metadata.ownerReferences,
})
