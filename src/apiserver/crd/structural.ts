import { type FieldError, forbiddenField, invalidField, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { sortedInSteps } from '#apiserver/sort-steps.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { regexOf } from '#base/regex/regex.ts'
import { same } from './same.ts'
import { nestedErrors } from './structural-nested.ts'

type Level = 'root' | 'item' | 'field'

/**
 * What keeps a schema from being structural: every field has one type, said in one place, and what
 * stands in allOf, anyOf, oneOf and not only restricts it further. In the order of the messages.
 */
export function* structuralErrors(schema: Fields, path: string): Steps<FieldError[]> {
  const errors = [
    ...(yield* invariants(schema, 'root', path)),
    ...(yield* completeness(schema, schema, { path, in: path })),
  ]
  const told = errors.map((error) => ({ error, text: `${error.field}: ${error.message}` }))
  const sorted = yield* sortedInSteps(told, (a, b) => (a.text < b.text ? -1 : 1))
  return sorted.map(({ error }) => error)
}

function* invariants(schema: Fields, level: Level, path: string): Steps<FieldError[]> {
  if (isDue()) yield
  const { items, additionalProperties } = schema
  return [
    ...(schema.type === 'array' && !isFields(items)
      ? [required(`${path}.items`, 'must be specified')]
      : []),
    ...(isFields(items) ? yield* invariants(items, 'item', `${path}.items`) : []),
    ...(yield* propertyInvariants(schema, path)),
    ...(isSet(additionalProperties) && level === 'root'
      ? [forbiddenField(`${path}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(isFields(additionalProperties)
      ? yield* invariants(additionalProperties, 'field', `${path}.additionalProperties`)
      : []),
    ...(yield* ownInvariants(schema, level, path)),
  ]
}

function* propertyInvariants(schema: Fields, path: string): Steps<FieldError[]> {
  const errors: FieldError[] = []
  for (const [key, one] of Object.entries(fieldsAt(schema, 'properties'))) {
    if (!isFields(one)) continue
    const found = yield* invariants(one, 'field', `${path}.properties[${key}]`)
    for (const error of found) errors.push(error)
  }
  return errors
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

function* ownInvariants(schema: Fields, level: Level, path: string): Steps<FieldError[]> {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const { properties } = schema
  const keeps = schema['x-kubernetes-preserve-unknown-fields'] === true
  const hasNone = Object.keys(fieldsAt(schema, 'properties')).length === 0
  return [
    ...extensionErrors(schema, path),
    ...(yield* combinationErrors(schema, path)),
    ...typeErrors(schema, level, path),
    ...(isEmbedded && isSet(schema.additionalProperties)
      ? [
          forbiddenField(
            `${path}.additionalProperties`,
            'must not be used if x-kubernetes-embedded-resource is set',
          ),
        ]
      : []),
    ...(isFields(properties) ? metaErrors(schema, level, path) : []),
    ...(isEmbedded && !keeps && hasNone
      ? [
          required(
            `${path}.properties`,
            'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
          ),
        ]
      : []),
  ]
}

function extensionErrors(schema: Fields, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return []
  return ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']
    .filter((key) => schema[key] === true)
    .map((key) =>
      invalidField(`${path}.${key}`, true, 'must be false if x-kubernetes-int-or-string is true'),
    )
}

const intOrString = [{ type: 'integer' }, { type: 'string' }]

/** Two ways to write int-or-string may name the types a second time. */
function combinationErrors(schema: Fields, path: string): Steps<FieldError[]> {
  const [firstOfAll] = listAt(schema, 'allOf')
  const inner = isFields(firstOfAll) ? firstOfAll.anyOf : undefined
  return nestedErrors(schema, path, {
    skipsAnyOf: same(schema.anyOf, intOrString),
    skipsFirstAllOf: same(inner, intOrString),
    problemOfPattern,
  })
}

function problemOfPattern(pattern: string): string | undefined {
  const regex = regexOf(pattern)
  return typeof regex === 'string'
    ? `must be a valid regular expression, but isn't: ${regex}`
    : undefined
}

const emptyAt: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function typeErrors(schema: Fields, level: Level, path: string): FieldError[] {
  const type = textAt(schema, 'type')
  const field = `${path}.type`
  const errors: FieldError[] = []
  const isFree =
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true
  if (schema['x-kubernetes-embedded-resource'] === true && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(type ? invalidField(field, type, detail) : required(field, detail))
  } else if (!type && !isFree) errors.push(required(field, emptyAt[level]))
  if (level === 'root' && type && type !== 'object') {
    errors.push(invalidField(field, type, 'must be object at the root'))
  }
  return errors
}

function metaErrors(schema: Fields, level: Level, path: string): FieldError[] {
  const properties = fieldsAt(schema, 'properties')
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true
  const errors: FieldError[] = []
  if (isResource) {
    for (const [key, type] of metaTypes) {
      const one = properties[key]
      if (!isFields(one) || one.type === type) continue
      const field = `${path}.properties[${key}].type`
      errors.push(invalidField(field, textAt(one, 'type') ?? '', `must be ${type}`))
    }
  }
  const { metadata } = properties
  if (level === 'root' && isFields(metadata) && !restrictsNamesOnly(metadata)) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified'
    errors.push(forbiddenField(`${path}.properties[metadata]`, detail))
  }
  return errors
}

const metaTypes = [
  ['kind', 'string'],
  ['apiVersion', 'string'],
  ['metadata', 'object'],
] as const

function restrictsNamesOnly({ type: _, default: __, properties, ...rest }: Fields): boolean {
  const names = isFields(properties) ? Object.keys(properties) : []
  const onlyNames = names.every((name) => name === 'name' || name === 'generateName')
  return onlyNames && Object.values(rest).every((value) => !isSet(value) || value === false)
}

interface Paths {
  path: string
  in: string
}

/** What the root restricts in a combination must be there outside of it as well. */
function* completeness(value: Fields, schema: Fields, paths: Paths): Steps<FieldError[]> {
  const errors: FieldError[] = []
  for (const [where, one] of combinationsIn(value)) {
    if (!isFields(one)) continue
    const inside = { ...paths, in: `${paths.in}.${where}` }
    for (const error of yield* nestedCompleteness(one, schema, inside)) errors.push(error)
  }
  return errors
}

const combinationsIn = (value: Fields): [string, unknown][] => [
  ['not', value.not],
  ...['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
    listAt(value, key).map((one, index): [string, unknown] => [`${key}[${index}]`, one]),
  ),
]

function* nestedCompleteness(value: Fields, schema: Fields, paths: Paths): Steps<FieldError[]> {
  if (isDue()) yield
  const errors = yield* completeness(value, schema, paths)
  if (isFields(value.items)) {
    const found = yield* below(value.items, schema.items, step(paths, 'items'))
    for (const error of found) errors.push(error)
  }
  for (const [key, one] of Object.entries(fieldsAt(value, 'properties'))) {
    if (!isFields(one)) continue
    const known = fieldsAt(schema, 'properties')[key]
    const found = yield* below(one, known, step(paths, `properties[${key}]`))
    for (const error of found) errors.push(error)
  }
  return errors
}

const step = (paths: Paths, to: string): Paths => ({
  path: `${paths.path}.${to}`,
  in: `${paths.in}.${to}`,
})

function* below(value: Fields, schema: unknown, paths: Paths): Steps<FieldError[]> {
  return isFields(schema)
    ? yield* nestedCompleteness(value, schema, paths)
    : [required(paths.path, `because it is defined in ${paths.in}`)]
}
