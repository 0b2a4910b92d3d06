import {
  type FieldError,
  forbiddenField,
  invalidField,
  notSupported,
} from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { listTypeErrors, mapTypeErrors } from './list-type-rules.ts'
import { ruleErrors } from './rule-rules.ts'

/** Where in a schema the rules are applied. */
interface Place {
  path: string
  isRoot: boolean
  /** Inside of apiVersion, kind or metadata of an object. */
  isMeta: boolean
  /** Why there may be no default here, if so. */
  noDefault?: string
}

/** What the rules for schemas in CRDs find, apart from the structure: what is not supported at all. */
export const schemaErrors = (schema: Fields, path: string): Steps<FieldError[]> =>
  errorsAt(schema, { path, isRoot: true, isMeta: false })

function* errorsAt(schema: Fields, place: Place): Steps<FieldError[]> {
  if (isDue()) yield
  const { path } = place
  return [
    ...unsupported(schema, place),
    ...(schema.uniqueItems === true
      ? [
          forbiddenField(
            `${path}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...(yield* additionalErrors(schema, place)),
    ...(yield* propertyErrors(schema, place)),
    ...(yield* combinedErrors(schema, place)),
    ...(isFields(schema.items)
      ? yield* errorsAt(schema.items, { ...place, isRoot: false, path: `${path}.items` })
      : []),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === false
      ? [
          invalidField(
            `${path}.x-kubernetes-preserve-unknown-fields`,
            false,
            'must be true or undefined',
          ),
        ]
      : []),
    ...mapTypeErrors(schema, path),
    ...listTypeErrors(schema, path),
    ...ruleErrors(schema, path),
  ]
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const never = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref']

function unsupported(schema: Fields, { path, isMeta, noDefault }: Place): FieldError[] {
  const errors: FieldError[] = []
  const type = textAt(schema, 'type')
  if (type && !types.includes(type)) errors.push(notSupported(`${path}.type`, type, types))
  if (noDefault && schema.default !== undefined) {
    errors.push(forbiddenField(`${path}.default`, `must not be set ${noDefault}`))
  }
  for (const key of never.filter((one) => isSaid(schema[one]))) {
    errors.push(forbiddenField(`${path}.${key}`, `${key} is not supported`))
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative'
    errors.push(forbiddenField(`${path}.type`, detail))
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    const detail = 'items must be a schema object and not an array'
    errors.push(forbiddenField(`${path}.items`, detail))
  }
  if (isMeta && schema['x-kubernetes-embedded-resource'] === true) {
    const field = `${path}.x-kubernetes-embedded-resource`
    errors.push(forbiddenField(field, 'must not be used inside of resource meta'))
  }
  return errors
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !isBare(value)

const isBare = (value: unknown): boolean => isFields(value) && Object.keys(value).length === 0

function* additionalErrors(schema: Fields, place: Place): Steps<FieldError[]> {
  const { additionalProperties } = schema
  if (additionalProperties === undefined) return []
  const path = `${place.path}.additionalProperties`
  const hasProperties = Object.keys(fieldsAt(schema, 'properties')).length > 0
  const detail = 'additionalProperties and properties are mutual exclusive'
  const noDefault = 'inside additionalProperties applying to object metadata'
  return [
    ...(hasProperties && additionalProperties !== true ? [forbiddenField(path, detail)] : []),
    ...(isFields(additionalProperties)
      ? yield* errorsAt(additionalProperties, {
          ...place,
          isRoot: false,
          path,
          ...(place.isMeta && { noDefault }),
        })
      : []),
  ]
}

const metaFields = new Set(['metadata', 'kind', 'apiVersion'])

function* propertyErrors(schema: Fields, place: Place): Steps<FieldError[]> {
  const isResource = place.isRoot || schema['x-kubernetes-embedded-resource'] === true
  const errors: FieldError[] = []
  for (const [key, one] of Object.entries(fieldsAt(schema, 'properties'))) {
    if (!isFields(one)) continue
    const isMeta = isResource && metaFields.has(key)
    const found = yield* errorsAt(one, {
      ...place,
      isRoot: false,
      path: `${place.path}.properties[${key}]`,
      ...(isMeta && { isMeta }),
      ...(isMeta && place.isRoot && { noDefault: `in top-level ${key}` }),
    })
    for (const error of found) errors.push(error)
  }
  return errors
}

function* combinedErrors(schema: Fields, place: Place): Steps<FieldError[]> {
  const errors = isFields(schema.not)
    ? yield* errorsAt(schema.not, { ...place, isRoot: false, path: `${place.path}.not` })
    : []
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    for (const [index, one] of listAt(schema, key).entries()) {
      if (!isFields(one)) continue
      const path = `${place.path}.${key}[${index}]`
      for (const error of yield* errorsAt(one, { ...place, isRoot: false, path })) {
        errors.push(error)
      }
    }
  }
  return errors
}

/** Why a schema cannot be looked at any closer; told only if nothing else is wrong. */
export function* unreadable(schema: unknown): Steps<string | undefined> {
  if (isDue()) yield
  if (Array.isArray(schema)) return yield* firstOf(schema)
  if (!isFields(schema)) return undefined
  const unknown = [...never, '$schema'].find((key) => isSaid(schema[key]))
  if (unknown)
    return `OpenAPIV3Schema '${unknown === '$schema' ? 'schema' : unknown}' is not supported`
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
  }
  if (Array.isArray(schema.items))
    return "OpenAPIV3Schema 'items' must be a schema, but is an array"
  const { items, additionalProperties, not, allOf, anyOf, oneOf } = schema
  return yield* firstOf([
    items,
    additionalProperties,
    not,
    allOf,
    anyOf,
    oneOf,
    Object.values(fieldsAt(schema, 'properties')),
  ])
}

function* firstOf(schemas: readonly unknown[]): Steps<string | undefined> {
  for (const one of schemas) {
    const problem = typeof one === 'object' ? yield* unreadable(one) : undefined
    if (problem) return problem
  }
  return undefined
}
