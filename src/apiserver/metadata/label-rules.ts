import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import type { Fields } from '#apiserver/objects.ts'
import { atOnce, isDue, type Steps } from '#apiserver/steps.ts'
import { anchored, dnsSubdomain, mismatch, type Rule } from './name-rules.ts'

const keyPattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const valuePattern = `(${keyPattern})?`
const isKey = anchored(keyPattern)
const isValue = anchored(valuePattern)

const badKey = mismatch(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  keyPattern,
  ['MyName', 'my.name', '123-abc'],
)

const badValue = mismatch(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  valuePattern,
  ['MyValue', 'my_value', '12345'],
)

/** The rule for keys of labels and annotations and for finalizers: `name` or `domain/name`. */
export const qualifiedName: Rule = (value) => {
  const parts = value.split('/')
  if (parts.length > 2)
    return [
      `a valid label key ${badKey} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  const [prefix] = parts.length === 2 ? parts : [undefined]
  return [...problemsOfPrefixPart(prefix), ...problemsOfNamePart(parts.at(-1) ?? '')]
}

function problemsOfPrefixPart(prefix: string | undefined): string[] {
  if (prefix === undefined) return []
  if (prefix === '') return ['prefix part must be non-empty']
  return dnsSubdomain(prefix).map((one) => `prefix part ${one.replace(/characters$/, 'bytes')}`)
}

function problemsOfNamePart(name: string): string[] {
  const problems: string[] = []
  if (name === '') problems.push('name part must be non-empty')
  else if (Buffer.byteLength(name) > 63) problems.push('name part must be no more than 63 bytes')
  if (!isKey.test(name)) problems.push(`name part ${badKey}`)
  return problems
}

export const labelValue: Rule = (value) => {
  const problems = Buffer.byteLength(value) > 63 ? ['must be no more than 63 bytes'] : []
  if (!isValue.test(value)) problems.push(badValue)
  return problems
}

/** What is wrong with a set of labels; all of it is told of the set's own field. */
export const validateLabels = (labels: Fields, field: string): FieldError[] =>
  atOnce(validateLabelsInSteps(labels, field))

/** The same, with pauses. */
export function* validateLabelsInSteps(labels: Fields, field: string): Steps<FieldError[]> {
  const errors: FieldError[] = []
  for (const key of Object.keys(labels)) {
    const value = labels[key]
    if (isDue()) yield
    for (const problem of qualifiedName(key)) errors.push(invalidField(field, key, problem))
    for (const problem of labelValue(String(value)))
      errors.push(invalidField(field, value, problem))
  }
  return errors
}
