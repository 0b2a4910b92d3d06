import { type FieldError, forbiddenField, invalidField, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt } from '#apiserver/objects.ts'
import { labelValue, qualifiedName, validateLabels } from './label-rules.ts'

/** What is wrong with a `LabelSelector`, as objects hold them. */
export function validateLabelSelector(selector: Fields, field: string): FieldError[] {
  const errors = validateLabels(fieldsAt(selector, 'matchLabels'), `${field}.matchLabels`)
  for (const [index, expression] of listAt(selector, 'matchExpressions').entries())
    if (isFields(expression))
      errors.push(...validateRequirement(expression, `${field}.matchExpressions[${index}]`))
  return errors
}

function validateRequirement(expression: Fields, field: string): FieldError[] {
  const { key = '', operator = '' } = expression
  const values = listAt(expression, 'values')
  const errors = validateOperator(operator, values.length, field)
  for (const problem of qualifiedName(String(key)))
    errors.push(invalidField(`${field}.key`, key, problem))
  for (const [index, value] of values.entries())
    for (const problem of labelValue(String(value)))
      errors.push(invalidField(`${field}.values[${index}]`, value, problem))
  return errors
}

function validateOperator(operator: unknown, values: number, field: string): FieldError[] {
  if (operator === 'In' || operator === 'NotIn')
    return values > 0
      ? []
      : [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
  if (operator === 'Exists' || operator === 'DoesNotExist')
    return values === 0
      ? []
      : [
          forbiddenField(
            `${field}.values`,
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          ),
        ]
  return [invalidField(`${field}.operator`, operator, 'not a valid selector operator')]
}

/** Whether a selector asks for nothing at all. */
export const isEmptySelector = (selector: Fields): boolean =>
  Object.keys(fieldsAt(selector, 'matchLabels')).length === 0 &&
  listAt(selector, 'matchExpressions').length === 0

/** Whether labels are what a `LabelSelector` asks for. One that asks for nothing takes everything. */
export function selects(selector: Fields, labels: Fields): boolean {
  for (const [key, value] of Object.entries(fieldsAt(selector, 'matchLabels')))
    if (!Object.hasOwn(labels, key) || labels[key] !== value) return false
  return listAt(selector, 'matchExpressions').every(
    (one) => !isFields(one) || meetsRequirement(one, labels),
  )
}

function meetsRequirement(expression: Fields, labels: Fields): boolean {
  const key = String(expression.key)
  // `constructor` is a label like any other.
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  const values = listAt(expression, 'values')
  switch (expression.operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}

/** A requirement of a `LabelSelector` as it is written in a query. */
export function requirementText(expression: Fields): string {
  const key = String(expression.key)
  const values = listAt(expression, 'values').map(String).toSorted().join(',')
  switch (expression.operator) {
    case 'In':
      return `${key} in (${values})`
    case 'NotIn':
      return `${key} notin (${values})`
    case 'DoesNotExist':
      return `!${key}`
    default:
      return key
  }
}
