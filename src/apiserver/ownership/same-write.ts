import { type Fields, isFields } from '#apiserver/objects.ts'
import { isDeepEqual } from './compare.ts'
import { managedFieldsOf, withoutManagedFields } from './managed-fields.ts'

/**
 * Whether an object that is to be kept differs from the one that is kept in nothing but the times of
 * its `managedFields`: then it is not written, and the times stay.
 */
export function isSameWrite(live: Fields, next: Fields): boolean {
  const before = managedFieldsOf(live)
  const after = managedFieldsOf(next)
  return (
    before.length === after.length &&
    before.every((entry, index) => isSameEntry(entry, after[index])) &&
    isDeepEqual(withoutManagedFields(live), withoutManagedFields(next))
  )
}

function isSameEntry(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isFields(a) || !isFields(b)) return false
  return isDeepEqual({ ...a, time: '' }, { ...b, time: '' })
}
