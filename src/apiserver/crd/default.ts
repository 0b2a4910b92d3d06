import { type Fields, isFields, put } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { atOnce, isDue, type Steps } from '#apiserver/steps.ts'
import { nodeInSteps, type SchemaNode } from './node.ts'

/** Fills into a value, in place, the defaults of its schema; each place gets a copy of its own. */
export const setDefaults = (schema: Schema, value: unknown): void =>
  atOnce(fillDefaults(schema, value))

/** The same, with pauses. */
export function* fillDefaults(schema: Schema, value: unknown): Steps<void> {
  const node = yield* nodeInSteps(schema)
  if (node.hasDefaults) yield* fill(node, value)
}

function* fill(node: SchemaNode, value: unknown): Steps<void> {
  if (Array.isArray(value)) yield* fillItems(node, value)
  else if (isFields(value)) yield* fillFields(node, value)
}

function* fillItems({ items }: SchemaNode, list: unknown[]): Steps<void> {
  if (!items || !(items.hasDefaults || isDefaulted(items))) return
  for (let index = 0; index < list.length; index += 1) {
    if (list[index] === null && !items.nullable) list[index] = copyOf(items.schema.default)
    if (isDue()) yield
    if (typeof list[index] === 'object') yield* fill(items, list[index])
  }
}

function* fillFields(node: SchemaNode, fields: Fields): Steps<void> {
  addMissing(node, fields)
  const { properties } = node
  const additional = additionalOf(node)
  for (const key of Object.keys(fields)) {
    if (isDue()) yield
    const property = properties?.get(key)
    if (property?.hasDefaults) yield* fill(property, fields[key])
    else if (!property && additional) yield* fillAdditional(additional, fields, key)
  }
}

function addMissing(node: SchemaNode, fields: Fields): void {
  for (const [key, standard] of node.defaults) {
    const isThere = Object.hasOwn(fields, key)
    const isWrongNull = fields[key] === null && node.properties?.get(key)?.nullable === false
    if (!isThere || isWrongNull) put(fields, key, copyOf(standard))
  }
}

/** What fields without a name of their own are filled by, if there is anything to fill in. */
function additionalOf({ additional }: SchemaNode): SchemaNode | undefined {
  if (typeof additional !== 'object') return undefined
  return additional.hasDefaults || isDefaulted(additional) ? additional : undefined
}

function* fillAdditional(node: SchemaNode, fields: Fields, key: string): Steps<void> {
  if (fields[key] === null && !node.nullable) fields[key] = copyOf(node.schema.default)
  yield* fill(node, fields[key])
}

const isDefaulted = ({ schema }: SchemaNode): boolean => (schema.default ?? null) !== null

function copyOf(value: unknown): unknown {
  if (value === undefined) return null
  return typeof value === 'object' ? structuredClone(value) : value
}
