import { type Fields, isFields } from '#apiserver/objects.ts'
import { sortedInSteps } from '#apiserver/sort-steps.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { shownByGo, unnamedFailure } from './go-json.ts'

/** What tells an item of a list from the others: the item itself where there is no merge key. */
export const identityOf = (item: unknown, mergeKey: string): unknown =>
  mergeKey !== '' && isFields(item) ? keyedBy(item, mergeKey) : item

/** The merge key of an item, which it must have. */
export function keyedBy(item: Fields, mergeKey: string): unknown {
  if (Object.hasOwn(item, mergeKey)) return item[mergeKey]
  throw unnamedFailure(`map: ${shownByGo(item)} does not contain declared merge key: ${mergeKey}`)
}

interface Ordering {
  readonly merged: readonly unknown[]
  /** The order of the patch. */
  readonly order: readonly unknown[]
  /** The order of what was there. */
  readonly server: readonly unknown[]
}

/** The items that the patch orders in its order, the others among them where they were. */
export function* inOrder({ merged, order, server }: Ordering, mergeKey: string): Steps<unknown[]> {
  const ordered = yield* placesOf(order, mergeKey)
  const served = yield* placesOf(server, mergeKey)
  const place = (places: ReadonlyMap<unknown, number>, item: unknown): number =>
    places.get(identityOf(item, mergeKey)) ?? -1
  const inPatch = yield* sortedInSteps(
    merged.filter((item) => place(ordered, item) >= 0),
    (a, b) => place(ordered, a) - place(ordered, b),
  )
  const others = yield* sortedInSteps(
    merged.filter((item) => place(ordered, item) < 0),
    (a, b) => place(served, a) - place(served, b),
  )
  const out: unknown[] = []
  let next = 0
  for (const item of inPatch) {
    const limit = place(served, item)
    while (next < others.length && isBetween(place(served, others[next]), limit)) {
      out.push(others[next++])
    }
    out.push(item)
    if (isDue()) yield
  }
  return out.concat(others.slice(next))
}

/** Where each item is for the first time. */
function* placesOf(
  items: readonly unknown[],
  mergeKey: string,
): Steps<ReadonlyMap<unknown, number>> {
  const places = new Map<unknown, number>()
  for (const [index, item] of items.entries()) {
    const identity = identityOf(item, mergeKey)
    if (!places.has(identity)) places.set(identity, index)
    if (isDue()) yield
  }
  return places
}

const isBetween = (index: number, limit: number): boolean => index >= 0 && index < limit
