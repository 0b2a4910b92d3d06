import { jsonText } from '#apiserver/field-error.ts'
import { isFields } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'

type Shape = 'text' | 'flag' | 'value' | 'schema' | 'schemas' | 'map' | 'items' | 'orBool'

/** The fields of a schema as Kubernetes keeps them internally, in its order. */
const fields: readonly (readonly [string, string, Shape])[] = [
  ['ID', 'id', 'text'],
  ['Schema', '$schema', 'text'],
  ['Ref', '$ref', 'value'],
  ['Description', 'description', 'text'],
  ['Type', 'type', 'text'],
  ['Nullable', 'nullable', 'flag'],
  ['Format', 'format', 'text'],
  ['Title', 'title', 'text'],
  ['Default', 'default', 'value'],
  ['Maximum', 'maximum', 'value'],
  ['ExclusiveMaximum', 'exclusiveMaximum', 'flag'],
  ['Minimum', 'minimum', 'value'],
  ['ExclusiveMinimum', 'exclusiveMinimum', 'flag'],
  ['MaxLength', 'maxLength', 'value'],
  ['MinLength', 'minLength', 'value'],
  ['Pattern', 'pattern', 'text'],
  ['MaxItems', 'maxItems', 'value'],
  ['MinItems', 'minItems', 'value'],
  ['UniqueItems', 'uniqueItems', 'flag'],
  ['MultipleOf', 'multipleOf', 'value'],
  ['Enum', 'enum', 'value'],
  ['MaxProperties', 'maxProperties', 'value'],
  ['MinProperties', 'minProperties', 'value'],
  ['Required', 'required', 'value'],
  ['Items', 'items', 'items'],
  ['AllOf', 'allOf', 'schemas'],
  ['OneOf', 'oneOf', 'schemas'],
  ['AnyOf', 'anyOf', 'schemas'],
  ['Not', 'not', 'schema'],
  ['Properties', 'properties', 'map'],
  ['AdditionalProperties', 'additionalProperties', 'orBool'],
  ['PatternProperties', 'patternProperties', 'map'],
  ['Dependencies', 'dependencies', 'value'],
  ['AdditionalItems', 'additionalItems', 'orBool'],
  ['Definitions', 'definitions', 'map'],
  ['ExternalDocs', 'externalDocs', 'value'],
  ['Example', 'example', 'value'],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', 'value'],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', 'flag'],
  ['XIntOrString', 'x-kubernetes-int-or-string', 'flag'],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', 'value'],
  ['XListType', 'x-kubernetes-list-type', 'value'],
  ['XMapType', 'x-kubernetes-map-type', 'value'],
  ['XValidations', 'x-kubernetes-validations', 'value'],
]

/** The names that may be set at the root of a schema besides a status subresource. */
export const allowedAtRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations'.split(
    ' ',
  )

/** The internal names of what a schema says at its root, in order. */
export const saidAtRoot = (schema: Readonly<Record<string, unknown>>): string[] =>
  fields
    .filter(([, key]) => schema[key] !== undefined && schema[key] !== '' && schema[key] !== false)
    .map(([name]) => name)

/** A schema as Kubernetes shows it in an error: its internal form. */
export function* schemaText(schema: unknown): Steps<string> {
  if (!isFields(schema)) return 'null'
  if (isDue()) yield
  const parts: string[] = []
  for (const [name, key, shape] of fields) {
    const write = writers[shape]
    const text = write ? write(schema[key]) : yield* nestedText(schema[key], shape)
    parts.push(`"${name}":${text}`)
  }
  return `{${parts.join(',')}}`
}

const writers: Partial<Readonly<Record<Shape, (value: unknown) => string>>> = {
  text: (value) => jsonText(value ?? ''),
  flag: (value) => String(value === true),
  value: (value) => jsonText(value ?? null),
}

function* nestedText(value: unknown, shape: Shape): Steps<string> {
  if (value === undefined) return 'null'
  if (shape === 'schema') return yield* schemaText(value)
  if (shape === 'schemas') return Array.isArray(value) ? yield* listText(value) : 'null'
  if (shape === 'map') return yield* mapText(value)
  if (shape === 'orBool') {
    return `{"Allows":${value !== false},"Schema":${yield* schemaText(value)}}`
  }
  return Array.isArray(value)
    ? `{"Schema":null,"JSONSchemas":${yield* listText(value)}}`
    : `{"Schema":${yield* schemaText(value)},"JSONSchemas":null}`
}

function* listText(schemas: readonly unknown[]): Steps<string> {
  const texts: string[] = []
  for (const one of schemas) texts.push(yield* schemaText(one))
  return `[${texts.join(',')}]`
}

function* mapText(schemas: unknown): Steps<string> {
  if (!isFields(schemas)) return 'null'
  const texts: string[] = []
  for (const key of Object.keys(schemas).sort()) {
    texts.push(`${jsonText(key)}:${yield* schemaText(schemas[key])}`)
  }
  return `{${texts.join(',')}}`
}
