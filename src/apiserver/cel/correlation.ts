import { isDeepStrictEqual } from 'node:util'
import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'

/**
 * A value beside the one that it replaces. Items of lists have something to be compared with only in
 * lists of type map, fields only where the schema names them.
 */
export class Correlation {
  private readonly value: unknown
  private readonly old: unknown
  private readonly schema: Schema
  private same: boolean | undefined
  private oldItems: Map<string, unknown> | undefined

  constructor(value: unknown, old: unknown, schema: Schema) {
    this.value = value
    this.old = old
    this.schema = schema
  }

  field(name: string): Correlation | undefined {
    const { value, old } = this
    if (!isFields(value) || !isFields(old)) return undefined
    if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined
    const { properties = {}, additionalProperties: others } = this.schema
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    const own = schema ?? (isFields(others) ? others : undefined)
    return own === undefined ? undefined : new Correlation(value[name], old[name], own)
  }

  item(index: number): Correlation | undefined {
    const { value, old, schema } = this
    if (!Array.isArray(value) || !Array.isArray(old) || schema.items === undefined) return undefined
    this.oldItems ??= itemsByKey(schema, old)
    const found = oldItem(schema, this.oldItems, value[index])
    return found === undefined ? undefined : new Correlation(value[index], found, schema.items)
  }

  /** Whether nothing was changed. */
  get isUnchanged(): boolean {
    this.same ??= this.compare()
    return this.same
  }

  private compare(): boolean {
    const { value, old } = this
    if (Array.isArray(value)) return Array.isArray(old) && this.compareItems(value, old)
    if (isFields(value)) return isFields(old) && this.compareFields(value, old)
    return isDeepStrictEqual(value, old)
  }

  private compareItems(value: readonly unknown[], old: readonly unknown[]): boolean {
    if (value.length !== old.length) return false
    if (this.schema['x-kubernetes-list-type'] !== 'map') return isDeepStrictEqual(value, old)
    return value.every((_, i) => this.item(i)?.isUnchanged ?? false)
  }

  private compareFields(value: Fields, old: Fields): boolean {
    const names = Object.keys(value)
    return (
      names.length === Object.keys(old).length &&
      names.every((name) => this.field(name)?.isUnchanged ?? false)
    )
  }
}

/** Items of a list of type map by their keys; nothing for other lists. */
export function itemsByKey(schema: Schema, items: readonly unknown[]): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const item of items) {
    const key = keyOf(schema, item)
    if (key !== undefined && !found.has(key)) found.set(key, item)
  }
  return found
}

/** What an item replaces. */
export function oldItem(
  schema: Schema,
  items: ReadonlyMap<string, unknown>,
  item: unknown,
): unknown {
  const key = items.size === 0 ? undefined : keyOf(schema, item)
  return key === undefined ? undefined : items.get(key)
}

function keyOf(schema: Schema, item: unknown): string | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !isFields(item)) return undefined
  const values = (schema['x-kubernetes-list-map-keys'] ?? []).map((name) => item[name])
  return values.every((value) => typeof value !== 'object' && value !== undefined)
    ? JSON.stringify(values)
    : undefined
}
