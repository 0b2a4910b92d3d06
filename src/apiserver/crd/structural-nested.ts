import { type FieldError, forbiddenField, invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'

interface Rules {
  skipsAnyOf: boolean
  skipsFirstAllOf: boolean
  problemOfPattern: (pattern: string) => string | undefined
}

/** What may not stand in the combinations of a schema, and a pattern that is none. */
export function* nestedErrors(schema: Fields, path: string, rules: Rules): Steps<FieldError[]> {
  const plain = { ...rules, skipsAnyOf: false, skipsFirstAllOf: false }
  const pattern = textAt(schema, 'pattern')
  const problem = pattern && rules.problemOfPattern(pattern)
  return [
    ...(yield* combinedErrors(schema, path, rules)),
    ...(isFields(schema.not) ? yield* errorsOf(schema.not, `${path}.not`, plain) : []),
    ...(problem ? [invalidField(`${path}.pattern`, pattern, problem)] : []),
  ]
}

const COMBINATIONS = ['anyOf', 'allOf', 'oneOf'] as const

function* combinedErrors(schema: Fields, path: string, rules: Rules): Steps<FieldError[]> {
  const errors: FieldError[] = []
  const some = COMBINATIONS.filter((key) => key !== 'anyOf' || !rules.skipsAnyOf)
  for (const key of some) {
    for (const [index, one] of listAt(schema, key).entries()) {
      if (!isFields(one)) continue
      const skipsAnyOf = key === 'allOf' && index === 0 && rules.skipsFirstAllOf
      const inner = { ...rules, skipsAnyOf, skipsFirstAllOf: false }
      const found = yield* errorsOf(one, `${path}.${key}[${index}]`, inner)
      for (const error of found) errors.push(error)
    }
  }
  return errors
}

/** What says more than a restriction, and how it has to be instead. */
const forbidden: readonly (readonly [string, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]

function* errorsOf(schema: Fields, path: string, rules: Rules): Steps<FieldError[]> {
  if (isDue()) yield
  const plain = { ...rules, skipsAnyOf: false, skipsFirstAllOf: false }
  const properties = fieldsAt(schema, 'properties')
  return [
    ...(yield* nestedErrors(schema, path, rules)),
    ...(isFields(schema.items) ? yield* errorsOf(schema.items, `${path}.items`, plain) : []),
    ...(yield* propertyErrors(properties, path, plain)),
    ...forbidden
      .filter(([key]) => isSaid(schema[key]))
      .map(([key, detail]) => forbiddenField(`${path}.${key}`, detail)),
    ...(isFields(properties.metadata)
      ? [
          forbiddenField(
            `${path}.properties[metadata]`,
            'must not be specified in a nested context',
          ),
        ]
      : []),
  ]
}

function* propertyErrors(properties: Fields, path: string, rules: Rules): Steps<FieldError[]> {
  const errors: FieldError[] = []
  for (const [key, one] of Object.entries(properties)) {
    if (!isFields(one)) continue
    const found = yield* errorsOf(one, `${path}.properties[${key}]`, rules)
    for (const error of found) errors.push(error)
  }
  return errors
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && value !== false && !isEmptyList(value)

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
