import { isDeepStrictEqual } from 'node:util'
import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { escapeField, unescapeField } from './field-names.ts'
import { withObjectMeta } from './schema-type.ts'
import { dateOf, dateTimeOf, looseDurationOf } from './times.ts'
import {
  EvaluationError,
  ListValue,
  MapValue,
  noSuchOverload,
  Preserved,
  type Timestamp,
  type Value,
} from './values.ts'

/** JSON as rules see it, by its schema. Throws EvaluationError for what is not of the schema. */
export function fromJson(json: unknown, schema: Schema): Value {
  if (json === null || json === undefined) {
    if (schema.nullable) return null
    throw new EvaluationError('invalid data, got null for schema with nullable=false')
  }
  if (schema['x-kubernetes-int-or-string']) return intOrString(json)
  const value = BY_TYPE[schema.type ?? '']?.(json, schema)
  if (value !== undefined) return value
  if (schema.type === undefined && schema['x-kubernetes-preserve-unknown-fields']) {
    return new Preserved(json)
  }
  throw new EvaluationError(`invalid data, expected ${EXPECTED[schema.type ?? ''] ?? 'a value'}`)
}

/** Undefined for what is not of the type. */
const BY_TYPE: Readonly<Record<string, (json: unknown, schema: Schema) => Value | undefined>> = {
  object: (json, schema) => (isFields(json) ? new JsonMap(json, schema) : undefined),
  array: (json, schema) => (Array.isArray(json) ? new JsonList(json, schema) : undefined),
  string: (json, schema) => (typeof json === 'string' ? fromText(json, schema) : undefined),
  boolean: (json) => (typeof json === 'boolean' ? json : undefined),
  number: (json) => (typeof json === 'number' ? json : undefined),
  integer: (json) => (Number.isInteger(json) ? BigInt(Number(json)) : undefined),
}

const EXPECTED: Readonly<Record<string, string>> = {
  object: 'a map for the provided schema with type=object',
  array: 'an array for the provided schema with type=array',
  string: 'string',
  boolean: 'bool',
  number: 'float',
  integer: 'int',
}

function intOrString(json: unknown): Value {
  if (typeof json === 'string') return json
  if (typeof json === 'number' && Number.isInteger(json)) return BigInt(json)
  throw new EvaluationError(
    'invalid data, expected XIntOrString value to be either a string or integer',
  )
}

function fromText(text: string, { format }: Schema): Value {
  switch (format) {
    case 'duration':
      return looseDurationOf(text) ?? invalid('duration', text)
    case 'date':
      return dateOf(text) ?? invalid('date formatted string', text)
    case 'date-time':
      return dateTimeOf(text) ?? invalid('date-time formatted string', text)
    case 'byte':
      return Buffer.from(text, 'base64')
    default:
      return text
  }
}

function invalid(kind: string, text: string): Timestamp {
  throw new EvaluationError(`Invalid ${kind} ${text}`)
}

const ANYTHING: Schema = { 'x-kubernetes-preserve-unknown-fields': true }

export class JsonList extends ListValue {
  readonly items: readonly unknown[]
  readonly schema: Schema
  private readonly itemSchema: Schema

  constructor(items: readonly unknown[], schema: Schema) {
    super()
    this.items = items
    this.schema = schema
    this.itemSchema = schema.items ?? ANYTHING
  }

  get size(): number {
    return this.items.length
  }

  at(index: number): Value {
    return fromJson(this.items[index], this.itemSchema)
  }

  /** Items are told apart by `keyOf`, and their order means nothing. */
  get isUnordered(): boolean {
    return this.isMap || this.schema['x-kubernetes-list-type'] === 'set'
  }

  get isMap(): boolean {
    return this.schema['x-kubernetes-list-type'] === 'map'
  }

  byKey(): Map<string, number> {
    const keys = new Map<string, number>()
    for (const [i, item] of this.items.entries()) keys.set(this.keyOfJson(item), i)
    return keys
  }

  keyOf(value: Value): string {
    return this.keyOfJson(toJson(value))
  }

  private keyOfJson(item: unknown): string {
    if (!this.isMap) return JSON.stringify(item) ?? ''
    const keys = this.schema['x-kubernetes-list-map-keys'] ?? []
    return JSON.stringify(keys.map((key) => (isFields(item) ? item[key] : undefined)))
  }

  /** With the items of another list: merged by key, or each once, or simply after these. */
  plus(other: ListValue): ListValue {
    const items = [...this.items]
    const byKey = this.isUnordered ? this.byKey() : undefined
    for (const value of other) {
      const item = toJson(value)
      const key = byKey === undefined ? '' : this.keyOfJson(item)
      const index = byKey?.get(key)
      if (index === undefined) {
        byKey?.set(key, items.length)
        items.push(item)
      } else if (this.isMap) items[index] = item
    }
    return new JsonList(items, this.schema)
  }
}

/** An object or a map: fields that the schema does not name cannot be seen. */
export class JsonMap extends MapValue {
  readonly fields: Fields
  private readonly schema: Schema

  constructor(fields: Fields, schema: Schema) {
    super()
    this.fields = fields
    this.schema = schema['x-kubernetes-embedded-resource'] ? withObjectMeta(schema) : schema
  }

  get size(): number {
    return Object.keys(this.fields).length
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') throw noSuchOverload()
    const { properties } = this.schema
    const name = properties === undefined ? key : unescapeField(key)
    return name === undefined ? undefined : this.named(name)
  }

  /** By the property's own name. */
  named(name: string): Value | undefined {
    if (!Object.hasOwn(this.fields, name)) return undefined
    const json = this.fields[name]
    const { properties } = this.schema
    if (properties !== undefined && (json === null || json === undefined)) return undefined
    const schema = this.schemaOf(name)
    return schema === undefined ? undefined : fromJson(json, schema)
  }

  private schemaOf(name: string): Schema | undefined {
    const { properties, additionalProperties } = this.schema
    if (properties !== undefined) {
      return Object.hasOwn(properties, name) ? properties[name] : undefined
    }
    return isFields(additionalProperties) ? additionalProperties : undefined
  }

  keys(): Value[] {
    const known = Object.keys(this.fields).filter((name) => this.schemaOf(name) !== undefined)
    if (this.schema.properties === undefined) return known
    return known.map((name) => escapeField(name) ?? name)
  }

  /** Whether the fields that the schema does not name are the same, as far as the other has them. */
  sameUnknown(other: JsonMap): boolean {
    return Object.keys(this.fields).every(
      (name) =>
        this.schemaOf(name) !== undefined ||
        !Object.hasOwn(other.fields, name) ||
        isDeepStrictEqual(this.fields[name], other.fields[name]),
    )
  }
}

/** The JSON that a value stands for, as far as items of lists need it. */
function toJson(value: Value): unknown {
  if (value instanceof JsonMap) return value.fields
  if (value instanceof JsonList) return value.items
  if (value instanceof Preserved) return value.value
  if (typeof value === 'bigint') return Number(value)
  return value
}
