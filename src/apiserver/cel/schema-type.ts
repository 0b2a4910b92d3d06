import { isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { isReserved } from '#base/cel/reserved-words.ts'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  structOf,
  TIMESTAMP,
  type Type,
} from '#base/cel/types.ts'
import { escapeField } from './field-names.ts'

/** A schema as rules see it: its type, and how large its values can be. */
export interface SchemaType {
  type: Type
  /** Most items, entries or characters that a value can have; 0 for what has no size. */
  maxElements: number
  /** Fewest bytes of JSON. */
  minSize: number
  /** Of items, or of the values of a map. */
  element?: SchemaType
  key?: SchemaType
  fields?: ReadonlyMap<string, SchemaType>
}

const MAX_REQUEST = 3 * 1024 * 1024
const MAX_TEXT = MAX_REQUEST - 2

/** How often a value of at least `minSize` bytes can be in one request. */
export const maxCardinality = (minSize: number): number => Math.floor(MAX_REQUEST / (minSize + 1))

/**
 * The type of a schema; undefined for what rules cannot see, such as unknown fields. `name` is what an
 * object's type is called in messages; `isRoot`: apiVersion, kind and metadata are there in any case.
 */
export function* schemaType(
  schema: Schema,
  name: string,
  isRoot: boolean,
): Steps<SchemaType | undefined> {
  if (isDue()) yield
  if (schema['x-kubernetes-int-or-string']) {
    const { maxLength } = schema
    return scalar(DYN, 1, maxLength === undefined ? MAX_TEXT : Math.max(0, maxLength) * 4)
  }
  const own = isRoot ? withObjectMeta(schema) : schema
  switch (own.type) {
    case 'array':
      return yield* arrayType(own, name)
    case 'object':
      return yield* objectType(own, name)
    case 'string':
      return stringType(own)
    case 'boolean':
      return scalar(BOOL, 4, 0)
    case 'number':
      return scalar(DOUBLE, 1, 0)
    case 'integer':
      return scalar(INT, 1, 0)
    default:
      return undefined
  }
}

const scalar = (type: Type, minSize: number, maxElements: number): SchemaType => ({
  type,
  minSize,
  maxElements,
})

const isEmbedded = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true

const TEXT: Schema = { type: 'string' }
const withMeta = new WeakMap<Schema, Schema>()

/** The schema with the fields that each object has. */
export function withObjectMeta(schema: Schema): Schema {
  let full = withMeta.get(schema)
  if (full === undefined) {
    full = hasObjectMeta(schema)
      ? schema
      : {
          ...schema,
          properties: {
            ...schema.properties,
            kind: TEXT,
            apiVersion: TEXT,
            metadata: { type: 'object', properties: { name: TEXT, generateName: TEXT } },
          },
        }
    withMeta.set(schema, full)
  }
  return full
}

function hasObjectMeta({ properties = {} }: Schema): boolean {
  const meta = properties.metadata
  return (
    properties.kind?.type === 'string' &&
    properties.apiVersion?.type === 'string' &&
    meta?.type === 'object' &&
    meta.properties?.name?.type === 'string' &&
    meta.properties.generateName?.type === 'string'
  )
}

function* arrayType(schema: Schema, name: string): Steps<SchemaType | undefined> {
  if (schema.items === undefined) return undefined
  const element = yield* schemaType(schema.items, `${name}.@idx`, isEmbedded(schema.items))
  if (element === undefined) return undefined
  const { maxItems } = schema
  const most = maxItems ?? Math.floor(MAX_TEXT / (element.minSize + 1))
  return { ...scalar(listOf(element.type), 2, Math.max(0, most)), element }
}

function* objectType(schema: Schema, name: string): Steps<SchemaType | undefined> {
  const { additionalProperties: values } = schema
  if (!isFields(values)) return yield* structType(schema, name)
  const element = yield* schemaType(values, `${name}.@elem`, isEmbedded(values))
  if (element === undefined) return undefined
  const most = schema.maxProperties ?? Math.floor(MAX_TEXT / (element.minSize + 6))
  const key = scalar(STRING, 2, 0)
  return { ...scalar(mapOf(STRING, element.type), 2, Math.max(0, most)), element, key }
}

function* structType(schema: Schema, name: string): Steps<SchemaType> {
  const fields = new Map<string, SchemaType>()
  const required = new Set(schema.required)
  let minSize = 2
  for (const [property, child] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeField(property)
    const field = yield* schemaType(child, `${name}.${escaped ?? property}`, isEmbedded(child))
    if (field === undefined) continue
    if (escaped !== undefined) fields.set(escaped, field)
    if (required.has(property) && child.default === undefined) {
      minSize += Buffer.byteLength(property) + field.minSize + 4
    }
  }
  return { ...scalar(structOf(name, typesOf(fields)), minSize, 0), fields }
}

/** Fields whose names are words of CEL can be named as they are, and escaped. */
function typesOf(fields: ReadonlyMap<string, SchemaType>): Map<string, Type> {
  const types = new Map<string, Type>()
  for (const [field, { type }] of fields) {
    types.set(field, type)
    const word = field.replace(/^__(.*)__$/, '$1')
    if (isReserved(word)) types.set(word, type)
  }
  return types
}

function stringType({ format, maxLength, enum: values }: Schema): SchemaType {
  switch (format) {
    case 'byte':
      return scalar(BYTES, 2, maxLength === undefined ? MAX_TEXT : Math.max(0, maxLength))
    case 'duration':
      return scalar(DURATION, 3, 32)
    case 'date':
      return scalar(TIMESTAMP, 12, 12)
    case 'date-time':
      return scalar(TIMESTAMP, 21, 32)
    default:
      if (maxLength !== undefined) return scalar(STRING, 2, Math.max(0, maxLength) * 4)
      return scalar(STRING, 2, values?.length ? longestOf(values) : MAX_TEXT)
  }
}

const longestOf = (values: readonly unknown[]): number =>
  Math.max(0, ...values.map((one) => (typeof one === 'string' ? Buffer.byteLength(one) : 0)))
