import { type Fields, isFields } from '#apiserver/objects.ts'
import { copyOfValueInSteps } from '#apiserver/ownership/copy.ts'
import type { Schema } from '#apiserver/schema.ts'
import { sortedInSteps } from '#apiserver/sort-steps.ts'
import { atOnce, isDue, type Steps } from '#apiserver/steps.ts'
import { nodeInSteps, type SchemaNode } from './node.ts'

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
export function* pruneInSteps(
  schema: Schema,
  object: Fields,
  { keepsNulls } = { keepsNulls: false },
): Steps<string[]> {
  const walk: Walk = { path: [], unknown: [], keepsNulls }
  yield* pruneFields(asRoot(yield* nodeInSteps(schema)), object, walk)
  return yield* sortedInSteps(walk.unknown, (a, b) => (a < b ? -1 : Number(a > b)))
}

/** The same, without a pause. */
export const prune = (schema: Schema, object: Fields, options = { keepsNulls: false }): string[] =>
  atOnce(pruneInSteps(schema, object, options))

/** Whether a value that is not the root of an object would lose something. */
export function* isPruned(schema: Schema, value: unknown): Steps<boolean> {
  if (typeof value !== 'object') return true
  const walk: Walk = { path: [], unknown: [], keepsNulls: false }
  const copy = yield* copyOfValueInSteps(value)
  yield* pruneValue(yield* nodeInSteps(schema), copy, walk)
  return walk.unknown.length === 0
}

function* pruneValue(node: SchemaNode | undefined, value: unknown, walk: Walk): Steps<void> {
  if (Array.isArray(value)) yield* pruneItems(node, value, walk)
  else if (isFields(value)) yield* pruneFields(node, value, walk)
}

function* pruneItems(
  node: SchemaNode | undefined,
  list: readonly unknown[],
  walk: Walk,
): Steps<void> {
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index]
    if (isDue()) yield
    if (typeof item !== 'object' || item === null) continue
    walk.path.push(index)
    // Below what keeps unknown fields the items keep theirs too, whatever their own schema says.
    if (node?.preserves && node.items) yield* pruneValue(keeping(node.items), item, walk)
    else if (!node?.preserves) yield* pruneValue(node?.items, item, walk)
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

function* pruneFields(node: SchemaNode | undefined, fields: Fields, walk: Walk): Steps<void> {
  for (const key of Object.keys(fields)) {
    if (isDue()) yield
    if (node?.embeds && metaFields.has(key)) continue
    const child = node?.properties?.get(key) ?? node?.additional
    if (child === undefined) dropUnless(node?.preserves === true, key, { fields, walk })
    else if (typeof fields[key] === 'object') yield* pruneField(child, key, { fields, walk })
  }
}

interface At {
  fields: Fields
  walk: Walk
}

function dropUnless(isKept: boolean, key: string, { fields, walk }: At): void {
  if (isKept) return
  const { path, unknown } = walk
  if (path.length > 0 || !metaFields.has(key)) unknown.push(textOf(path, key))
  delete fields[key]
}

function* pruneField(child: SchemaNode | boolean, key: string, { fields, walk }: At): Steps<void> {
  const value = fields[key]
  const node = typeof child === 'object' ? child : undefined
  if (value === null) {
    const isWrong = node && !node.nullable && (node.schema.default ?? null) === null
    if (isWrong && !walk.keepsNulls) delete fields[key]
    return
  }
  walk.path.push(key)
  yield* pruneValue(node, value, walk)
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
