import { type Fields, isFields } from '#apiserver/objects.ts'
import { isDeepEqual } from '#apiserver/ownership/compare.ts'
import { atOnce, isDue, type Steps } from '#apiserver/steps.ts'
import type { SchemaNode } from './node.ts'

/** A value and what it was before the change. What has no counterpart has no pair. */
export interface Pair {
  readonly value: unknown
  readonly old: unknown
  readonly node: SchemaNode
  byKey?: ReadonlyMap<string, unknown>
}

/** The pair of a field or of an item; items have one in lists of type map only. */
export function pairAt(pair: Pair, key: string | number): Pair | undefined {
  return typeof key === 'string' ? pairOfField(pair, key) : pairOfItem(pair, key)
}

function pairOfField({ value, old, node }: Pair, key: string): Pair | undefined {
  if (!isFields(value) || !isFields(old)) return undefined
  if (!Object.hasOwn(value, key) || !Object.hasOwn(old, key)) return undefined
  const { additional } = node
  const child =
    node.properties?.get(key) ?? (typeof additional === 'object' ? additional : undefined)
  return child && { value: value[key], old: old[key], node: child }
}

function pairOfItem(pair: Pair, index: number): Pair | undefined {
  const { value, old, node } = pair
  if (!Array.isArray(value) || !Array.isArray(old) || !node.items) return undefined
  if (node.schema['x-kubernetes-list-type'] !== 'map') return undefined
  pair.byKey ??= atOnce(itemsByKey(old, node))
  const item = value[index]
  const key = isFields(item) ? keyOf(item, node) : undefined
  const before = key === undefined ? undefined : pair.byKey.get(key)
  return before === undefined ? undefined : { value: item, old: before, node: node.items }
}

/** Makes ready, with pauses, for the pairs of many items. */
export function* readyItems(pair: Pair | undefined): Steps<void> {
  if (!pair || !Array.isArray(pair.old)) return
  const { old, node } = pair
  if (node.schema['x-kubernetes-list-type'] !== 'map') return
  pair.byKey ??= yield* itemsByKey(old, node)
}

function* itemsByKey(
  items: readonly unknown[],
  node: SchemaNode,
): Steps<ReadonlyMap<string, unknown>> {
  const byKey = new Map<string, unknown>()
  for (const item of items) {
    if (isDue()) yield
    const key = isFields(item) ? keyOf(item, node) : undefined
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item)
  }
  return byKey
}

function keyOf(item: Fields, node: SchemaNode): string | undefined {
  const values = (node.schema['x-kubernetes-list-map-keys'] ?? []).map((key) => item[key])
  const isScalar = values.every((value) => value !== undefined && typeof value !== 'object')
  return isScalar ? JSON.stringify(values) : undefined
}

/**
 * Whether nothing has changed. Fields that the schema does not name count as changed, as they do in
 * Kubernetes; so do reordered lists, unless they are of type map.
 */
export function* isUnchanged(pair: Pair): Steps<boolean> {
  const { value, old } = pair
  if (Array.isArray(value)) return Array.isArray(old) && (yield* isSameList(pair, value, old))
  if (!isFields(value) || !isFields(old)) return yield* isDeepEqual(value, old)
  const keys = Object.keys(value)
  if (keys.length !== Object.keys(old).length) return false
  for (const key of keys) if (!(yield* isSameAt(pair, key))) return false
  return true
}

function* isSameList(
  pair: Pair,
  value: readonly unknown[],
  old: readonly unknown[],
): Steps<boolean> {
  if (value.length !== old.length) return false
  const isMap = pair.node.schema['x-kubernetes-list-type'] === 'map'
  if (!isMap) return yield* isDeepEqual(value, old)
  yield* readyItems(pair)
  for (const index of value.keys()) if (!(yield* isSameAt(pair, index))) return false
  return true
}

function* isSameAt(pair: Pair, key: string | number): Steps<boolean> {
  const child = pairAt(pair, key)
  if (isDue()) yield
  return child !== undefined && (yield* isUnchanged(child))
}
