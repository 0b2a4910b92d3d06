import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { objectMetaSchema } from './object-meta-schema.ts'

/**
 * What a value can be, as ownership sees it: which parts have owners of their own. A value with no
 * schema can be all three.
 */
export interface Shape {
  readonly scalar: 'numeric' | 'string' | 'boolean' | 'untyped' | undefined
  readonly list: ListShape | undefined
  readonly map: MapShape | undefined
}

export interface ListShape {
  readonly isAtomic: boolean
  /** The names that tell its items apart, sorted; a set of scalars has none. */
  readonly keys: readonly string[]
  readonly keyDefaults: Readonly<Fields>
  /** The same, in the order of the schema. */
  readonly declaredKeys: readonly string[]
  items(): Shape
}

export interface MapShape {
  readonly isAtomic: boolean
  /** Any name may be there, with any value: nothing is known of it. */
  readonly isDeduced: boolean
  /** Undefined for a field that may not be there. */
  at(name: string): Shape | undefined
  /** Whether the schema names the field, so that it is no entry of a map. */
  isNamed(name: string): boolean
}

const roots = new WeakMap<Schema, Shape>()

/** The shape of an object with metadata, whatever its schema says of that. Kept for each schema. */
export function rootShapeOf(schema: Schema): Shape {
  let shape = roots.get(schema)
  if (shape === undefined) {
    shape = { scalar: undefined, list: undefined, map: new SchemaMap(schema, { isObject: true }) }
    roots.set(schema, shape)
  }
  return shape
}

const atomicList: ListShape = {
  isAtomic: true,
  keys: [],
  declaredKeys: [],
  keyDefaults: {},
  items: () => untyped,
}

/** Anything, of which only the whole has an owner. */
const untyped: Shape = {
  scalar: 'untyped',
  list: atomicList,
  map: { isAtomic: true, isDeduced: true, at: () => untyped, isNamed: () => false },
}

/** Anything; the entries of maps have owners of their own. */
const deduced: Shape = {
  scalar: 'untyped',
  list: atomicList,
  map: { isAtomic: false, isDeduced: true, at: () => deduced, isNamed: () => false },
}

interface Inherited {
  /** The schema or one around it keeps unknown fields. */
  keepsUnknown?: boolean
  isObject?: boolean
}

const plain = new WeakMap<Schema, Shape>()
const keeping = new WeakMap<Schema, Shape>()

function shapeOf(schema: Schema, keepsUnknown: boolean): Shape {
  const known = keepsUnknown ? keeping : plain
  let shape = known.get(schema)
  if (shape === undefined) {
    shape = makeShape(schema, keepsUnknown)
    known.set(schema, shape)
  }
  return shape
}

function makeShape(schema: Schema, inherited: boolean): Shape {
  const referred = referredBy(schema)
  if (referred !== undefined) return withMapType(shapeOf(referred, false), schema)
  const keepsUnknown = inherited || schema['x-kubernetes-preserve-unknown-fields'] === true
  const map = (): MapShape => new SchemaMap(schema, { keepsUnknown })
  switch (schema.type) {
    case 'object':
      return { scalar: undefined, list: undefined, map: map() }
    case 'array':
      return { scalar: undefined, list: new SchemaList(schema, keepsUnknown), map: undefined }
    case undefined:
    case '':
      return { scalar: 'untyped', list: new SchemaList(schema, keepsUnknown), map: map() }
    default:
      return { scalar: scalarOf(schema), list: undefined, map: undefined }
  }
}

/** OpenAPI wraps a reference into `allOf` to say something beside it. */
function referredBy(schema: Schema): Schema | undefined {
  const [only, ...others] = schema.allOf ?? []
  const isReference =
    !schema.type &&
    schema.properties === undefined &&
    schema['x-kubernetes-int-or-string'] !== true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  return isReference && others.length === 0 ? only : undefined
}

function withMapType(shape: Shape, { 'x-kubernetes-map-type': mapType }: Schema): Shape {
  const { map } = shape
  if (mapType === undefined || map === undefined) return shape
  return {
    ...shape,
    map: {
      isAtomic: mapType === 'atomic',
      isDeduced: map.isDeduced,
      at: (name) => map.at(name),
      isNamed: (name) => map.isNamed(name),
    },
  }
}

function scalarOf({ type, format = '' }: Schema): Shape['scalar'] {
  if (type === 'integer' || type === 'number') return 'numeric'
  if (type === 'boolean') return 'boolean'
  return type === 'string' && (format === '' || format === 'byte') ? 'string' : 'untyped'
}

const textShape: Shape = { scalar: 'string', list: undefined, map: undefined }

class SchemaMap implements MapShape {
  readonly isAtomic: boolean
  readonly isDeduced: boolean
  readonly #properties: Readonly<Record<string, Schema>>
  readonly #keepsUnknown: boolean
  readonly #additional: Schema['additionalProperties']
  readonly #known = new Map<string, Shape>()

  constructor(schema: Schema, { keepsUnknown = false, isObject = false }: Inherited) {
    this.isAtomic = schema['x-kubernetes-map-type'] === 'atomic'
    this.#properties = schema.properties ?? {}
    this.#keepsUnknown = keepsUnknown || schema['x-kubernetes-preserve-unknown-fields'] === true
    const isEmpty = Object.keys(this.#properties).length === 0
    this.#additional = schema.additionalProperties ?? (this.#keepsUnknown || isEmpty)
    this.isDeduced = isEmpty && this.#additional === true && !isObject
    if (isObject || schema['x-kubernetes-embedded-resource'] === true) {
      this.#known.set('apiVersion', textShape)
      this.#known.set('kind', textShape)
      this.#known.set('metadata', shapeOf(objectMetaSchema, false))
      this.isDeduced = false
    }
  }

  at(name: string): Shape | undefined {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const property = Object.hasOwn(this.#properties, name) ? this.#properties[name] : undefined
    if (property === undefined) return this.#unnamed()
    const shape = shapeOf(property, this.#keepsUnknown)
    this.#known.set(name, shape)
    return shape
  }

  isNamed(name: string): boolean {
    return this.#known.has(name) || Object.hasOwn(this.#properties, name)
  }

  #unnamed(): Shape | undefined {
    if (typeof this.#additional === 'object') return shapeOf(this.#additional, this.#keepsUnknown)
    return this.#additional ? deduced : undefined
  }
}

class SchemaList implements ListShape {
  readonly isAtomic: boolean
  readonly keys: readonly string[]
  readonly declaredKeys: readonly string[]
  readonly keyDefaults: Readonly<Fields>
  readonly #items: Schema | undefined
  readonly #keepsUnknown: boolean

  constructor(schema: Schema, keepsUnknown: boolean) {
    this.#items = schema.items
    this.#keepsUnknown = keepsUnknown
    this.declaredKeys = keysOf(schema) ?? []
    this.isAtomic = keysOf(schema) === undefined
    this.keys = this.declaredKeys.toSorted()
    this.keyDefaults = keyDefaultsOf(schema.items, this.keys)
  }

  items(): Shape {
    return this.#items === undefined ? untyped : shapeOf(this.#items, this.#keepsUnknown)
  }
}

/** The keys of a list whose items have owners of their own; undefined for an atomic one. */
function keysOf(schema: Schema): readonly string[] | undefined {
  switch (schema['x-kubernetes-list-type']) {
    case 'map':
      return schema['x-kubernetes-list-map-keys'] ?? []
    case 'set':
      return []
    case 'atomic':
      return undefined
    default:
      return mergeKeysOf(schema)
  }
}

function mergeKeysOf(schema: Schema): readonly string[] | undefined {
  const strategy = schema['x-kubernetes-patch-strategy']
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return undefined
  const key = schema['x-kubernetes-patch-merge-key']
  return key === undefined ? [] : [key]
}

function keyDefaultsOf(items: Schema | undefined, keys: readonly string[]): Fields {
  const { properties = {} } = (items && referredBy(items)) ?? items ?? {}
  const out: Fields = {}
  for (const key of keys) {
    const value = Object.hasOwn(properties, key) ? properties[key]?.default : undefined
    if (value !== undefined && value !== null) out[key] = value
  }
  return out
}

/** What kind of value this is within its shape; null is whatever the shape lists first. */
export function kindOf(value: unknown, shape: Shape): 'map' | 'scalar' | 'list' | undefined {
  if (Array.isArray(value)) return shape.list === undefined ? firstKind(shape) : 'list'
  if (isFields(value)) return shape.map === undefined ? firstKind(shape) : 'map'
  if (value === null || shape.scalar === undefined) return firstKind(shape)
  return 'scalar'
}

function firstKind(shape: Shape): 'map' | 'scalar' | 'list' | undefined {
  if (shape.map !== undefined) return 'map'
  if (shape.scalar !== undefined) return 'scalar'
  return shape.list === undefined ? undefined : 'list'
}
