import { ApiFailure } from '#apiserver/failure.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { shownByGo, unnamedFailure } from './go-json.ts'
import { inOrder, keyedBy } from './list-order.ts'
import { directive } from './strategic-directives.ts'
import type { Rule } from './strategic-rule.ts'

/** Lays an item over one with the same key; both are used up. */
export type MergeItems = (
  original: Fields,
  patch: Fields,
  schema: Schema | undefined,
) => Steps<Fields>

export interface ListPatch {
  readonly original: readonly unknown[]
  readonly patch: readonly unknown[]
  /** The patch lists what is to go. */
  readonly isDeletion: boolean
  readonly mergeItems: MergeItems
}

/** Lays a list over another, as its rule says. */
export function* mergeLists(lists: ListPatch, rule: Rule): Steps<unknown[]> {
  const { original, patch, isDeletion } = lists
  if (rule.strategy !== 'merge' && !isDeletion) return [...patch]
  if (original.length === 0 && patch.length === 0) return []
  if (!areMaps(original, patch)) {
    if (isDeletion) return without(original, patch)
    const merged = unique([...original, ...patch])
    return yield* inOrder({ merged, order: patch, server: original }, '')
  }
  return yield* mergeKeyed(lists, rule)
}

/** Whether the items are maps; they must all be of one type, and that not a list. */
export function areMaps(...lists: readonly (readonly unknown[])[]): boolean {
  const holder = lists.find((list) => list.length > 0)
  if (holder === undefined) throw unnamedFailure('no elements in any of the given slices')
  const first = typeOf(holder[0])
  if (first === 'list') {
    throw new ApiFailure(422, 'the server rejected our request due to an error in our request', {
      reason: 'Invalid',
      details: {},
    })
  }
  if (lists.some((list) => list.some((item) => typeOf(item) !== first))) {
    throw unnamedFailure(`list element types are not identical: ${shownByGo(lists)}`)
  }
  return first === 'map'
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  return isFields(value) ? 'map' : typeof value
}

function without(items: readonly unknown[], some: readonly unknown[]): unknown[] {
  const gone = new Set(some)
  return items.filter((item) => !gone.has(item))
}

const unique = (items: readonly unknown[]): unknown[] => [...new Set(items)]

function* mergeKeyed({ original, patch, mergeItems }: ListPatch, rule: Rule): Steps<unknown[]> {
  const { mergeKey, below } = rule
  if (mergeKey === '') {
    throw unnamedFailure('cannot merge lists without merge key for struct')
  }
  const { server, plain } = withSpecial(original.filter(isFields), patch.filter(isFields), mergeKey)
  const merged: Fields[] = []
  const places = new Map<unknown, number>()
  const add = (item: Fields, value: unknown): void => {
    if (!places.has(value)) places.set(value, merged.length)
    merged.push(item)
  }
  for (const item of server) {
    add(item, item[mergeKey])
    if (isDue()) yield
  }
  for (const item of plain) {
    const value = keyedBy(item, mergeKey)
    const index = places.get(value) ?? -1
    const found = merged[index]
    if (found === undefined) add(item, value)
    else merged[index] = yield* mergeItems(found, item, below)
    if (isDue()) yield
  }
  return yield* inOrder({ merged, order: plain, server }, mergeKey)
}

interface Special {
  readonly server: Fields[]
  readonly plain: Fields[]
}

/** Does what the directives among the items say. */
function withSpecial(original: Fields[], patch: Fields[], mergeKey: string): Special {
  const plain: Fields[] = []
  const gone = new Set<unknown>()
  let isReplaced = false
  for (const item of patch) {
    const wanted = item[directive]
    if (!Object.hasOwn(item, directive)) plain.push(item)
    else if (wanted === 'delete') gone.add(keyedBy(item, mergeKey))
    else if (wanted === 'replace') isReplaced = true
    else throw unknownDirective(item)
  }
  if (isReplaced) return { server: plain, plain: [] }
  return { server: original.filter((item) => !gone.has(item[mergeKey])), plain }
}

const unknownDirective = (item: Fields): ApiFailure =>
  unnamedFailure(
    item[directive] === 'merge'
      ? 'merging lists cannot yet be specified in the patch'
      : `unknown patch type: ${shownByGo(item[directive])} in map: ${shownByGo(item)}`,
  )
