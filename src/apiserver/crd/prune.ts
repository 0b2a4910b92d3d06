import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { nodeOf, type SchemaNode } from './node.ts'

const metaFields = new Set(['apiVersion', 'kind', 'metadata'])

interface Walk {
  readonly path: (string | number)[]
  readonly unknown: string[]
  readonly keepsNulls: boolean
}

/**
 * Takes out of an object, in place, what its schema does not know, and nulls where none may be that
 * have no default, unless it keeps those. Returns the paths of what was unknown, sorted: `spec.list[0].name`.
 */
export function prune(
  schema: Schema,
  object: Fields,
  { keepsNulls } = { keepsNulls: false },
): string[] {
  const walk: Walk = { path: [], unknown: [], keepsNulls }
  pruneFields(asRoot(nodeOf(schema)), object, walk)
  return walk.unknown.sort()
}

/** Whether a value that is not the root of an object would lose something. */
export function isPruned(schema: Schema, value: unknown): boolean {
  const walk: Walk = { path: [], unknown: [], keepsNulls: false }
  pruneValue(nodeOf(schema), structuredClone(value), walk)
  return walk.unknown.length === 0
}

function pruneValue(node: SchemaNode | undefined, value: unknown, walk: Walk): void {
  if (Array.isArray(value)) pruneItems(node, value, walk)
  else if (isFields(value)) pruneFields(node, value, walk)
}

function pruneItems(node: SchemaNode | undefined, list: readonly unknown[], walk: Walk): void {
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index]
    if (typeof item !== 'object' || item === null) continue
    walk.path.push(index)
    // Below what keeps unknown fields the items keep theirs too, whatever their own schema says.
    if (node?.preserves && node.items) pruneValue(keeping(node.items), item, walk)
    else if (!node?.preserves) pruneValue(node?.items, item, walk)
    walk.path.pop()
  }
}

const keptNodes = new WeakMap<SchemaNode, SchemaNode>()
const rootNodes = new WeakMap<SchemaNode, SchemaNode>()

const keeping = (node: SchemaNode): SchemaNode =>
  node.preserves ? node : changed(keptNodes, node, { preserves: true })

const asRoot = (node: SchemaNode): SchemaNode =>
  node.embeds ? node : changed(rootNodes, node, { embeds: true })

function changed(
  known: WeakMap<SchemaNode, SchemaNode>,
  node: SchemaNode,
  change: Partial<SchemaNode>,
): SchemaNode {
  const made = known.get(node) ?? { ...node, ...change }
  known.set(node, made)
  return made
}

function pruneFields(node: SchemaNode | undefined, fields: Fields, walk: Walk): void {
  for (const key in fields) {
    if (node?.embeds && metaFields.has(key)) continue
    const child = node?.properties?.get(key) ?? node?.additional
    if (child !== undefined) pruneField(child, key, { fields, walk })
    else if (!node?.preserves) drop(fields, key, walk)
  }
}

function drop(fields: Fields, key: string, { path, unknown }: Walk): void {
  if (path.length > 0 || !metaFields.has(key)) unknown.push(textOf(path, key))
  delete fields[key]
}

function pruneField(
  child: SchemaNode | boolean,
  key: string,
  { fields, walk }: { fields: Fields; walk: Walk },
): void {
  const value = fields[key]
  if (typeof value !== 'object') return
  const node = typeof child === 'object' ? child : undefined
  if (value === null) {
    const isWrong = node && !node.nullable && (node.schema.default ?? null) === null
    if (isWrong && !walk.keepsNulls) delete fields[key]
    return
  }
  walk.path.push(key)
  pruneValue(node, value, walk)
  walk.path.pop()
}

function textOf(path: readonly (string | number)[], last: string): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else text += text === '' ? key : `.${key}`
  }
  return text === '' ? last : `${text}.${last}`
}
