import type { Schema } from '#apiserver/schema.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { formatCheck } from './formats.ts'

/** A schema as the walkers want it: looked up, compiled and counted once. */
export interface SchemaNode {
  readonly schema: Schema
  /** As Kubernetes names them: `integer,string` for int-or-string. */
  readonly types: readonly string[]
  /** A format that means something for the type. */
  readonly format: string
  readonly checkFormat: ((text: string) => boolean) | undefined
  readonly nullable: boolean
  readonly preserves: boolean
  readonly embeds: boolean
  properties: ReadonlyMap<string, SchemaNode> | undefined
  additional: SchemaNode | boolean | undefined
  items: SchemaNode | undefined
  allOf: readonly SchemaNode[]
  anyOf: readonly SchemaNode[]
  oneOf: readonly SchemaNode[]
  not: SchemaNode | undefined
  /** Of its properties, those that have one. */
  defaults: readonly (readonly [string, unknown])[]
  /** Whether it is worth the walk: something below has a default, is a set or a map, is embedded. */
  hasDefaults: boolean
  hasListTypes: boolean
  hasEmbedded: boolean
}

const nodes = new WeakMap<Schema, SchemaNode>()

/** The node of a schema, made at the first call and then always the same. */
export function nodeOf(schema: Schema): SchemaNode {
  const known = nodes.get(schema)
  if (known) return known
  const node = bareNode(schema)
  // Before its children: a schema may contain itself.
  nodes.set(schema, node)
  addChildren(node)
  return node
}

/** The same, with pauses while it is made. */
export function* nodeInSteps(schema: Schema): Steps<SchemaNode> {
  const known = nodes.get(schema)
  if (known) return known
  yield* makeBelow(schema, new Set())
  return nodeOf(schema)
}

/** Makes the nodes of what a schema holds, from the bottom up: with them, its own is made at once. */
function* makeBelow(schema: Schema, around: Set<Schema>): Steps<void> {
  around.add(schema)
  for (const part of partsOf(schema)) {
    if (isDue()) yield
    if (nodes.has(part) || around.has(part)) continue
    yield* makeBelow(part, around)
    nodeOf(part)
  }
  around.delete(schema)
}

function partsOf(schema: Schema): Schema[] {
  const { properties, additionalProperties, items, not } = schema
  const combined = [schema.allOf ?? [], schema.anyOf ?? [], schema.oneOf ?? []].flat()
  return [
    ...(properties ? Object.values(properties) : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(items ? [items] : []),
    ...(not ? [not] : []),
    ...combined,
  ]
}

function bareNode(schema: Schema): SchemaNode {
  const types = typesOf(schema)
  const format = supportedFormat(schema.format ?? '', types)
  return {
    schema,
    types,
    format,
    checkFormat: format ? formatCheck(format) : undefined,
    nullable: schema.nullable === true,
    preserves: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embeds: schema['x-kubernetes-embedded-resource'] === true,
    properties: undefined,
    additional: undefined,
    items: undefined,
    allOf: [],
    anyOf: [],
    oneOf: [],
    not: undefined,
    defaults: [],
    // True while it is being made, so that what contains itself is always walked.
    hasDefaults: true,
    hasListTypes: true,
    hasEmbedded: true,
  }
}

function addChildren(node: SchemaNode): void {
  const { schema } = node
  const { properties, additionalProperties } = schema
  if (properties) {
    node.properties = new Map(Object.entries(properties).map(([key, one]) => [key, nodeOf(one)]))
    node.defaults = Object.entries(properties).flatMap(([key, one]) =>
      one.default === undefined || one.default === null ? [] : [[key, one.default] as const],
    )
  }
  node.additional =
    typeof additionalProperties === 'object' ? nodeOf(additionalProperties) : additionalProperties
  node.items = schema.items && nodeOf(schema.items)
  node.allOf = (schema.allOf ?? []).map(nodeOf)
  node.anyOf = (schema.anyOf ?? []).map(nodeOf)
  node.oneOf = (schema.oneOf ?? []).map(nodeOf)
  node.not = schema.not && nodeOf(schema.not)
  addCounts(node)
}

function addCounts(node: SchemaNode): void {
  const below = [...(node.properties?.values() ?? [])]
  if (typeof node.additional === 'object') below.push(node.additional)
  if (node.items) below.push(node.items)
  const listType = node.schema['x-kubernetes-list-type']
  const isUnique = listType === 'set' || listType === 'map'
  node.hasDefaults = below.some((one) => one.hasDefaults || hasDefault(one))
  node.hasListTypes = isUnique || below.some((one) => one.hasListTypes)
  node.hasEmbedded = node.embeds || below.some((one) => one.hasEmbedded)
}

const hasDefault = ({ schema }: SchemaNode): boolean =>
  schema.default !== undefined && schema.default !== null

function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string']
  return schema.type ? [schema.type] : []
}

const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
}

function supportedFormat(format: string, types: readonly string[]): string {
  const type = types.length === 1 ? (types[0] ?? 'string') : 'string'
  if (type === 'string') return formatCheck(format) ? format : ''
  return numberFormats[type]?.includes(format) ? format : ''
}
