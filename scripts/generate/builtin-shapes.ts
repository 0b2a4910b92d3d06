import { goTypeOf } from '#apiserver/builtin/go-type.ts'
import type { Shape } from '#apiserver/builtin/table.ts'
import type { GoField } from './go-structs.ts'

/** As much of a schema in an OpenAPI v3 document as kube-apiserver writes. */
export interface OpenApiSchema {
  description?: string
  type?: string
  format?: string
  $ref?: string
  allOf?: readonly OpenApiSchema[]
  oneOf?: readonly OpenApiSchema[]
  items?: OpenApiSchema
  additionalProperties?: OpenApiSchema
  properties?: Readonly<Record<string, OpenApiSchema>>
  required?: readonly string[]
  enum?: readonly unknown[]
  default?: unknown
  'x-kubernetes-list-type'?: Shape['l']
  'x-kubernetes-list-map-keys'?: readonly string[]
  'x-kubernetes-map-type'?: Shape['m']
  'x-kubernetes-patch-strategy'?: string
  'x-kubernetes-patch-merge-key'?: string
  'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[]
}

export const packageOf = (definition: string): string =>
  definition.slice(0, definition.lastIndexOf('.'))

/** The distinct shapes of fields: a thousand fields share a few hundred of them. */
export class Shapes {
  readonly #packages: readonly string[]
  readonly #indices = new Map<string, number>()

  constructor(packages: readonly string[]) {
    this.#packages = packages
  }

  /** The number of a shape, in the digits and letters of base 36. */
  add(shape: object): string {
    const text = JSON.stringify(shape)
    const index = this.#indices.get(text) ?? this.#indices.size
    this.#indices.set(text, index)
    return index.toString(36)
  }

  lines(): string[] {
    return [...this.#indices.keys()]
  }

  /** What `refer` made a reference of. */
  nameOf(reference: string): string {
    const dot = reference.indexOf('.')
    return `${this.#packages[Number(reference.slice(0, dot))]}${reference.slice(dot)}`
  }

  /** A definition, by the number of its package. */
  refer(definition: string): string {
    const name = definition.slice(definition.lastIndexOf('.') + 1)
    return `${this.#packages.indexOf(packageOf(definition))}.${name}`
  }
}

interface DefinitionSource {
  name: string
  schema: OpenApiSchema
  goFields: ReadonlyMap<string, GoField>
  shapes: Shapes
}

/** `0.Pod|{…}|apiVersion=1 name=2! port=3^Embedded`: name, shape of its own, its fields. */
export function lineOfDefinition({ name, schema, goFields, shapes }: DefinitionSource): string {
  const { properties = {}, required = [] } = schema
  const kinds = schema['x-kubernetes-group-version-kind'] ?? []
  // The options of every group are the same, and have a kind in each.
  const [gvk] = kinds.length === 1 ? kinds : []
  const own = {
    ...shapeOf(schema, shapes),
    ...(gvk && { gvk: [gvk.group, gvk.version, gvk.kind] }),
  }
  const fields = Object.entries(properties).map(([field, property]) => {
    const go = goFields.get(field)
    if (!go) throw new Error(`the Go sources have no ${name}.${field}`)
    const index = shapes.add(withGoFacts(shapeOf(property, shapes), go, shapes))
    const embedded = go.embedded.filter((struct) => struct !== 'TypeMeta').map((it) => `^${it}`)
    return `${field}=${index}${required.includes(field) ? '!' : ''}${embedded.join('')}`
  })
  return [shapes.refer(name), JSON.stringify(own), fields.join(' ')].join('|')
}

/** What the schema itself says, in short keys. */
function shapeOf(schema: OpenApiSchema, shapes: Shapes): Shape {
  const reference = referenceOf(schema)
  return {
    ...(schema.type && { t: schema.type }),
    ...(schema.format && { f: schema.format }),
    ...(reference && { r: shapes.refer(reference) }),
    ...(schema.oneOf && { o: schema.oneOf.map(({ type }) => type ?? '') }),
    ...(schema.items && { i: shapeOf(schema.items, shapes) }),
    ...(schema.additionalProperties && { a: shapeOf(schema.additionalProperties, shapes) }),
    ...(schema.enum && { e: schema.enum }),
    ...(schema.default !== undefined && { d: schema.default }),
    ...extensionsOf(schema),
  }
}

const extensionsOf = (schema: OpenApiSchema): Shape => {
  const [l, k, m, s, y] = [
    schema['x-kubernetes-list-type'],
    schema['x-kubernetes-list-map-keys'],
    schema['x-kubernetes-map-type'],
    schema['x-kubernetes-patch-strategy'],
    schema['x-kubernetes-patch-merge-key'],
  ]
  return { ...(l && { l }), ...(k && { k }), ...(m && { m }), ...(s && { s }), ...(y && { y }) }
}

function referenceOf({ $ref, allOf }: OpenApiSchema): string | undefined {
  const reference = $ref ?? allOf?.[0]?.$ref
  return reference?.slice(reference.lastIndexOf('/') + 1)
}

/** With what only Go knows: `p` a pointer, `w` written even when empty, `g` a type of another name. */
function withGoFacts(shape: Shape, go: GoField, shapes: Shapes): Shape {
  // Go never takes a struct for empty.
  const isStruct = shape.r !== undefined && !go.isPointer
  const isWritten = go.omit === 'never' || (go.omit === 'empty' && isStruct)
  const isNamed = go.type !== goTypeOf(shape, (reference) => shapes.nameOf(reference))
  return {
    ...shape,
    ...(go.isPointer && { p: 1 }),
    ...(isWritten && { w: 1 }),
    ...(isNamed && { g: go.type }),
  }
}
