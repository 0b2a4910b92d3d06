import { MADE_AS } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'

/**
 * Whether an object says all that the draft says, and was last made to say that: what it was made to say before and is
 * not to say any more would stay otherwise. What others have written besides is theirs.
 */
export function says(
  object: KubeObject & { spec?: unknown },
  draft: { metadata: Partial<KubeObject['metadata']>; spec?: unknown },
): boolean {
  const { labels = {}, annotations = {} } = draft.metadata
  return (
    object.metadata.annotations?.[MADE_AS] === annotations[MADE_AS] &&
    isWithin(labels, object.metadata.labels ?? {}) &&
    isWithin(draft.spec, object.spec)
  )
}

/** Whether all of a value is in another: fields may be more, entries of a list may not. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (Object.is(part, whole) || part === undefined) return true
  if (typeof part !== 'object' || typeof whole !== 'object' || !part || !whole) return false
  if (Array.isArray(part) !== Array.isArray(whole)) return false
  if (Array.isArray(part) && Array.isArray(whole) && part.length !== whole.length) return false
  return Object.entries(part).every(([key, value]) => isWithin(value, Reflect.get(whole, key)))
}
