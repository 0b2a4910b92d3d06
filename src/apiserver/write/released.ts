import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'

/** Whether an object was deleted and nothing holds it any more. */
export function isReleased(resource: Resource, object: Fields): boolean {
  const metadata = fieldsAt(object, 'metadata')
  if (!metadata.deletionTimestamp || listAt(metadata, 'finalizers').length > 0) return false
  if (Number(metadata.deletionGracePeriodSeconds ?? 0) > 0) return false
  return !isNamespace(resource) || listAt(fieldsAt(object, 'spec'), 'finalizers').length === 0
}

/** Namespaces have finalizers of their own in their spec: what is in them must go first. */
export const isNamespace = ({ group, plural }: Resource): boolean =>
  group === '' && plural === 'namespaces'
