import { isIP } from 'node:net'
import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { anchored, mismatch, type Rule, tooLong } from '#apiserver/metadata/name-rules.ts'
import { type Fields, textAt } from '#apiserver/objects.ts'
import { unsupportedGoValue } from './go-value.ts'

/** A text that has to be there and to follow a rule. */
export function checkText(value: unknown, field: string, rule?: Rule): FieldError[] {
  if (typeof value !== 'string' || value === '') return [required(field, '')]
  return rule ? checkRule(value, field, rule) : []
}

/** A text that has to follow a rule if it is there. */
export const checkRule = (value: unknown, field: string, rule: Rule): FieldError[] =>
  typeof value === 'string' && value !== ''
    ? rule(value).map((problem) => invalidField(field, value, problem))
    : []

/** A text that is one of a few; Kubernetes lists them in an order of its own. */
export function checkOneOf(
  value: unknown,
  field: string,
  supported: readonly string[],
): FieldError[] {
  if (value == null || supported.some((one) => one === value)) return []
  return [unsupportedGoValue(field, value, supported)]
}

/** Numbers under some keys that are not to be negative. */
export const checkNotNegative = (
  fields: Fields,
  path: string,
  keys: readonly string[],
): FieldError[] => keys.flatMap((key) => checkLeast(fields[key], `${path}.${key}`, 0))

export const checkLeast = (value: unknown, field: string, least: number): FieldError[] =>
  typeof value === 'number' && value < least
    ? [invalidField(field, value, `must be greater than or equal to ${least}`)]
    : []

export const checkPort = (value: unknown, field: string): FieldError[] =>
  typeof value === 'number' && value >= 1 && value <= 65535
    ? []
    : [invalidField(field, value ?? 0, 'must be between 1 and 65535, inclusive')]

/** The name of a port, as containers give them. */
export const portName: Rule = (value) => {
  const problems = tooLong(value, 15)
  if (!/^[-a-z0-9]+$/.test(value))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(value)) problems.push('must contain at least one letter (a-z)')
  if (value.includes('--')) problems.push('must not contain consecutive hyphens')
  if (value.startsWith('-') || value.endsWith('-'))
    problems.push('must not begin or end with a hyphen')
  return problems
}

export const checkPortOrName = (value: unknown, field: string): FieldError[] =>
  typeof value === 'string' ? checkRule(value, field, portName) : checkPort(value, field)

const percent = '[0-9]+%'
const isPercent = anchored(percent)
const notAPercent = mismatch(
  "a valid percent string must be a numeric string followed by an ending '%'",
  percent,
  ['1%', '93%'],
)

/** A count, or a share of something that is counted. */
export function checkCountOrPercent(value: unknown, field: string): FieldError[] {
  if (value == null) return []
  if (typeof value === 'number') return checkLeast(value, field, 0)
  return isPercent.test(String(value)) ? [] : [invalidField(field, value, notAPercent)]
}

export const checkShareOfAll = (value: unknown, field: string): FieldError[] =>
  typeof value === 'string' && isPercent.test(value) && Number.parseInt(value, 10) > 100
    ? [invalidField(field, value, 'must not be greater than 100%')]
    : []

/** Whether a count or share is none at all. */
export const isZeroCount = (value: unknown): boolean =>
  value === 0 || (typeof value === 'string' && Number.parseInt(value, 10) === 0)

export const ipAddress: Rule = (value) =>
  isIP(value) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']

export const cidr: Rule = (value) => {
  const [address = '', size = '', ...rest] = value.split('/')
  const longest = isIP(address) === 6 ? 128 : 32
  const fits =
    isIP(address) > 0 && /^[0-9]{1,3}$/.test(size) && Number(size) <= longest && rest.length === 0
  return fits ? [] : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']
}

const mapKey = '[-._a-zA-Z0-9]+'
const isMapKey = anchored(mapKey)
const notAMapKey = mismatch(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  mapKey,
  ['key.name', 'KEY_NAME', 'key-name'],
)

/** A key of a ConfigMap or Secret: it may become the name of a file. */
export const configKey: Rule = (value) => {
  const problems = tooLong(value, 253)
  if (!isMapKey.test(value)) problems.push(notAMapKey)
  if (value === '.' || value === '..') problems.push(`must not be '${value}'`)
  else if (value.startsWith('..')) problems.push("must not start with '..'")
  return problems
}

/** Changes of what may not change, with the text that Kubernetes has for most of them. */
export const checkImmutable = (
  value: unknown,
  isUnchanged: boolean,
  field: string,
): FieldError[] => (isUnchanged ? [] : [invalidField(field, value ?? null, 'field is immutable')])

/** Collects names and tells of those that come twice. */
export function duplicateFinder(): (value: string) => boolean {
  const seen = new Set<string>()
  return (value) => seen.has(value) || !seen.add(value)
}

/** The text under a key; nothing where there is none. */
export const nameIn = (fields: Fields, key = 'name'): string => textAt(fields, key) ?? ''
