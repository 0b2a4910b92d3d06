import { sortedInSteps } from '#apiserver/sort-steps.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { union } from './field-set.ts'
import { compareTexts, type Ownership, ownerId, secondsOf } from './managed-fields.ts'

const most = 10

/**
 * At most ten owners by update: the oldest of a version are put together into one that is called
 * `ancient-changes`.
 */
export function* capUpdates(owners: Map<string, Ownership>): Steps<Map<string, Ownership>> {
  const updates = [...owners].filter(([, { operation }]) => operation === 'Update')
  let excess = updates.length - most
  if (excess <= 0) return owners
  const oldest = yield* sortedInSteps(
    updates,
    ([a, one], [b, other]) => secondsOf(one.time) - secondsOf(other.time) || compareTexts(a, b),
  )
  const firstOf = new Map<string, string>()
  for (const [id, ownership] of oldest) {
    if (isDue()) yield
    if (excess <= 0) break
    const first = firstOf.get(ownership.apiVersion)
    if (first === undefined) {
      firstOf.set(ownership.apiVersion, id)
      continue
    }
    yield* bury(owners, first, [id, ownership])
    excess--
  }
  return owners
}

function* bury(
  owners: Map<string, Ownership>,
  first: string,
  [id, ownership]: readonly [string, Ownership],
): Steps<void> {
  const bucket = {
    writer: 'ancient-changes',
    operation: 'Update' as const,
    apiVersion: ownership.apiVersion,
    subresource: '',
  }
  const bucketId = ownerId(bucket)
  const before = owners.get(bucketId) ?? owners.get(first)
  if (!owners.has(bucketId)) owners.delete(first)
  const set = before === undefined ? ownership.set : yield* union(before.set, ownership.set)
  owners.set(bucketId, { ...bucket, set, time: ownership.time })
  // As Kubernetes does, even where this is the bucket itself, which is then forgotten.
  owners.delete(id)
}
