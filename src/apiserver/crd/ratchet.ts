import { type Fields, isFields } from '#apiserver/objects.ts'
import type { SchemaNode } from './node.ts'
import { same } from './same.ts'

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
  pair.byKey ??= itemsByKey(old, node)
  const item = value[index]
  const key = isFields(item) ? keyOf(item, node) : undefined
  const before = key === undefined ? undefined : pair.byKey.get(key)
  return before === undefined ? undefined : { value: item, old: before, node: node.items }
}

function itemsByKey(items: readonly unknown[], node: SchemaNode): ReadonlyMap<string, unknown> {
  const byKey = new Map<string, unknown>()
  for (const item of items) {
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
export function isUnchanged(pair: Pair): boolean {
  const { value, old } = pair
  if (Array.isArray(value)) return Array.isArray(old) && isSameList(pair, value, old)
  if (!isFields(value) || !isFields(old)) return same(value, old)
  const keys = Object.keys(value)
  return keys.length === Object.keys(old).length && keys.every((key) => isSameAt(pair, key))
}

function isSameList(pair: Pair, value: readonly unknown[], old: readonly unknown[]): boolean {
  if (value.length !== old.length) return false
  const isMap = pair.node.schema['x-kubernetes-list-type'] === 'map'
  return isMap ? value.every((_, index) => isSameAt(pair, index)) : same(value, old)
}

function isSameAt(pair: Pair, key: string | number): boolean {
  const child = pairAt(pair, key)
  return child !== undefined && isUnchanged(child)
}
