import { type Fields, isFields, put } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { nodeOf, type SchemaNode } from './node.ts'

/** Fills into a value, in place, the defaults of its schema; each place gets a copy of its own. */
export function setDefaults(schema: Schema, value: unknown): void {
  const node = nodeOf(schema)
  if (node.hasDefaults) fill(node, value)
}

function fill(node: SchemaNode, value: unknown): void {
  if (Array.isArray(value)) fillItems(node, value)
  else if (isFields(value)) fillFields(node, value)
}

function fillItems({ items }: SchemaNode, list: unknown[]): void {
  if (!items || !(items.hasDefaults || isDefaulted(items))) return
  for (let index = 0; index < list.length; index += 1) {
    if (list[index] === null && !items.nullable) list[index] = copyOf(items.schema.default)
    fill(items, list[index])
  }
}

function fillFields(node: SchemaNode, fields: Fields): void {
  for (const [key, standard] of node.defaults) {
    const isThere = Object.hasOwn(fields, key)
    const isWrongNull = fields[key] === null && node.properties?.get(key)?.nullable === false
    if (!isThere || isWrongNull) put(fields, key, copyOf(standard))
  }
  const { properties } = node
  const additional = additionalOf(node)
  for (const key in fields) {
    const property = properties?.get(key)
    if (property?.hasDefaults) fill(property, fields[key])
    else if (!property && additional) fillAdditional(additional, fields, key)
  }
}

/** What fields without a name of their own are filled by, if there is anything to fill in. */
function additionalOf({ additional }: SchemaNode): SchemaNode | undefined {
  if (typeof additional !== 'object') return undefined
  return additional.hasDefaults || isDefaulted(additional) ? additional : undefined
}

function fillAdditional(node: SchemaNode, fields: Fields, key: string): void {
  if (fields[key] === null && !node.nullable) fields[key] = copyOf(node.schema.default)
  fill(node, fields[key])
}

const isDefaulted = ({ schema }: SchemaNode): boolean => (schema.default ?? null) !== null

function copyOf(value: unknown): unknown {
  if (value === undefined) return null
  return typeof value === 'object' ? structuredClone(value) : value
}
