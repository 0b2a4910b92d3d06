import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Steps } from '#apiserver/steps.ts'
import { isDeepEqual } from './compare.ts'
import { managedFieldsOf, withoutManagedFields } from './managed-fields.ts'

/**
 * Whether an object that is to be kept differs from the one that is kept in nothing but the times of
 * its `managedFields`: then it is not written, and the times stay.
 */
export function* isSameWrite(live: Fields, next: Fields): Steps<boolean> {
  const before = managedFieldsOf(live)
  const after = managedFieldsOf(next)
  if (before.length !== after.length) return false
  for (const [index, entry] of before.entries()) {
    if (!(yield* isSameEntry(entry, after[index]))) return false
  }
  return yield* isDeepEqual(withoutManagedFields(live), withoutManagedFields(next))
}

function* isSameEntry(a: unknown, b: unknown): Steps<boolean> {
  if (a === b) return true
  if (!isFields(a) || !isFields(b)) return false
  return yield* isDeepEqual({ ...a, time: '' }, { ...b, time: '' })
}
