import { type Static, type TSchema, Type } from 'typebox'

/** A CEL rule of a CRD schema: the API server refuses what does not satisfy it, with the message. */
export interface Rule {
  rule: string
  message: string
  /** The field to blame, relative to where the rule stands, if that is not the place itself. */
  fieldPath?: string
}

/** A node of an OpenAPI v3 structural schema, as a CRD holds it. */
export interface StructuralSchema {
  type?: 'array' | 'boolean' | 'integer' | 'object' | 'string'
  description?: string
  format?: string
  nullable?: boolean
  default?: unknown
  enum?: string[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  anyOf?: StructuralSchema[]
  required?: string[]
  properties?: Record<string, StructuralSchema>
  additionalProperties?: StructuralSchema
  items?: StructuralSchema
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set'
  'x-kubernetes-map-type'?: 'atomic'
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-validations'?: Rule[]
}

interface Rules {
  rules?: Rule[]
}

interface TextOptions extends Rules {
  default?: string
  format?: 'date-time'
  maxLength?: number
  minLength?: number
  pattern?: string
}

interface NumberOptions extends Rules {
  default?: number
  format?: 'int32' | 'int64'
  maximum?: number
  minimum?: number
}

interface ListOptions extends Rules {
  /** `atomic` unless told: a list is owned and replaced as a whole. */
  keyedBy?: string[]
  listType?: 'atomic' | 'set'
  maxItems?: number
}

interface ObjectOptions extends Rules {
  default?: unknown
  /** Keep fields the schema does not name, instead of pruning them. */
  open?: boolean
  /** Owned as a whole by one field manager, as Kubernetes does with references. */
  atomic?: boolean
}

// Every builder takes the description first: a field that `kubectl explain` cannot explain does
// not compile. The result is JSON Schema that is also a structural schema, so it goes into the CRD
// as it is (TypeBox's own records, unions and literals do not: they use keywords CRDs forbid).

export const text = (description: string, { rules, ...options }: TextOptions = {}) =>
  Type.String({ description, ...options, ...validations(rules) })

export const integer = (description: string, { rules, ...options }: NumberOptions = {}) =>
  Type.Integer({ description, ...options, ...validations(rules) })

export const flag = (description: string, options: { default?: boolean } = {}) =>
  Type.Boolean({ description, ...options })

/** A string out of a closed set; anything else is refused by the API server. */
export const oneOf = <const Words extends readonly string[]>(
  description: string,
  words: Words,
  { rules, ...options }: { default?: Words[number] } & Rules = {},
) =>
  Type.Unsafe<Words[number]>({
    type: 'string',
    description,
    enum: [...words],
    ...options,
    ...validations(rules),
  })

/**
 * A string that we only ever write from a closed set, but whose schema stays open, so that objects
 * written by the published operators remain valid.
 */
export const wordOf = <const Words extends readonly string[]>(description: string, words: Words) =>
  Type.Unsafe<Words[number]>({
    type: 'string',
    description: `${description} One of: ${words.join(', ')}.`,
  })

export const list = <Item extends TSchema>(
  description: string,
  item: Item,
  { rules, keyedBy, listType = 'atomic', ...options }: ListOptions = {},
) =>
  Type.Array(item, {
    description,
    ...options,
    ...(keyedBy
      ? { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keyedBy }
      : { 'x-kubernetes-list-type': listType }),
    ...validations(rules),
  })

/** An object with named fields. A field with a default may be left out by the user; we always see it. */
export const object = <Properties extends Record<string, TSchema>>(
  description: string,
  properties: Properties,
  { rules, open, atomic, ...options }: ObjectOptions = {},
) =>
  Type.Object(properties, {
    description,
    ...options,
    ...(open && { 'x-kubernetes-preserve-unknown-fields': true }),
    ...(atomic && { 'x-kubernetes-map-type': 'atomic' }),
    ...validations(rules),
  })

/** An object whose fields are not ours to know, such as a Talos configuration patch. */
export const freeForm = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description,
    'x-kubernetes-preserve-unknown-fields': true,
  })

export const textMap = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    description,
    additionalProperties: { type: 'string' },
  })

export const integerOrText = (description: string, options: { default?: number | string } = {}) =>
  Type.Unsafe<number | string>({
    description,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
    ...options,
  })

export const optional = Type.Optional

/** The field may also be null, which is what YAML makes of a key with nothing behind it. */
export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, nullable: true })

/** The field may be set at creation and never changed afterwards. */
export const immutable = (message: string): Rule => ({ rule: 'self == oldSelf', message })

const validations = (rules: Rule[] | undefined) =>
  rules ? { 'x-kubernetes-validations': rules } : {}

/** The same change to each field of an object. */
export const eachField = <From, To>(fields: Record<string, From>, change: (field: From) => To) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]))

export type { TSchema }
