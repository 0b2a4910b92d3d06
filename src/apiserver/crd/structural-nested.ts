import { type FieldError, forbiddenField, invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'

interface Rules {
  skipsAnyOf: boolean
  skipsFirstAllOf: boolean
  problemOfPattern: (pattern: string) => string | undefined
}

/** What may not stand in the combinations of a schema, and a pattern that is none. */
export function nestedErrors(schema: Fields, path: string, rules: Rules): FieldError[] {
  const plain = { ...rules, skipsAnyOf: false, skipsFirstAllOf: false }
  const each = (key: string, ruleOf: (index: number) => Rules): FieldError[] =>
    listAt(schema, key).flatMap((one, index) =>
      isFields(one) ? errorsOf(one, `${path}.${key}[${index}]`, ruleOf(index)) : [],
    )
  const pattern = textAt(schema, 'pattern')
  const problem = pattern && rules.problemOfPattern(pattern)
  return [
    ...(rules.skipsAnyOf ? [] : each('anyOf', () => plain)),
    ...each('allOf', (index) => ({ ...plain, skipsAnyOf: rules.skipsFirstAllOf && index === 0 })),
    ...each('oneOf', () => plain),
    ...(isFields(schema.not) ? errorsOf(schema.not, `${path}.not`, plain) : []),
    ...(problem ? [invalidField(`${path}.pattern`, pattern, problem)] : []),
  ]
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

function errorsOf(schema: Fields, path: string, rules: Rules): FieldError[] {
  const plain = { ...rules, skipsAnyOf: false, skipsFirstAllOf: false }
  const properties = fieldsAt(schema, 'properties')
  return [
    ...nestedErrors(schema, path, rules),
    ...(isFields(schema.items) ? errorsOf(schema.items, `${path}.items`, plain) : []),
    ...Object.entries(properties).flatMap(([key, one]) =>
      isFields(one) ? errorsOf(one, `${path}.properties[${key}]`, plain) : [],
    ),
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

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && value !== false && !isEmptyList(value)

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
