/** What is wrong with a field, in the words that Kubernetes has for it. */
export interface FieldError {
  reason:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueNotFound'
    | 'FieldValueNotSupported'
    | 'FieldValueTypeInvalid'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTooFew'
    | 'InternalError'
  /** `spec.template.spec.containers[0].name`; `<nil>` for the object as a whole. */
  field: string
  /** Without the field: `Invalid value: "x": must be a number`. */
  message: string
}

export interface Cause {
  reason: string
  message: string
  field: string
}

// Nobody reads more, and a body of faults must not become an answer of many times its size.
const MOST_TOLD = 1000

/**
 * The errors that are told, and of the others one for each further reason: whoever asks what kinds there are sees all.
 * Lists of errors are joined on their way, and very long ones keep others waiting each time.
 */
export function mostTold(errors: FieldError[]): FieldError[] {
  if (errors.length <= MOST_TOLD) return errors
  const kept = errors.slice(0, MOST_TOLD)
  const reasons = new Set(kept.map(({ reason }) => reason))
  for (let at = MOST_TOLD; at < errors.length; at++) {
    const error = errors[at]
    if (!error || reasons.has(error.reason)) continue
    reasons.add(error.reason)
    kept.push(error)
  }
  return kept
}

/** What is told of errors. */
export const causesOf = (errors: readonly FieldError[]): Cause[] =>
  errors.slice(0, MOST_TOLD).map(({ reason, message, field }) => ({ reason, message, field }))

/** How Kubernetes names the object as a whole in an error. */
export const wholeObject = '<nil>'

type Make = (field: string, detail: string) => FieldError
type MakeOfValue = (field: string, value: unknown, detail: string) => FieldError

export const required: Make = (field, detail) => ({
  reason: 'FieldValueRequired',
  field,
  message: withDetail('Required value', detail),
})

export const forbiddenField: Make = (field, detail) => ({
  reason: 'FieldValueForbidden',
  field,
  message: withDetail('Forbidden', detail),
})

export const invalidField: MakeOfValue = (field, value, detail) => ({
  reason: 'FieldValueInvalid',
  field,
  message: withDetail(`Invalid value: ${shown(value)}`, detail),
})

/** Reads like `invalidField`; CEL rules are not tried on an object that has such an error. */
export const typeInvalid: MakeOfValue = (field, value, detail) => ({
  ...invalidField(field, value, detail),
  reason: 'FieldValueTypeInvalid',
})

export const duplicateField = (field: string, value: unknown): FieldError => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${shown(value)}`,
})

export const notFoundField = (field: string, value: unknown): FieldError => ({
  reason: 'FieldValueNotFound',
  field,
  message: `Not found: ${shown(value)}`,
})

/** The too long value is not shown. `max` is counted in `bytes` unless told. */
export const tooLong = (
  field: string,
  max: number,
  unit: 'byte' | 'character' = 'byte',
): FieldError => ({
  reason: 'FieldValueTooLong',
  field,
  message: `Too long: may not be more than ${counted(max, unit)}`,
})

export const tooMany = (field: string, actual: number, max: number): FieldError => ({
  reason: 'FieldValueTooMany',
  field,
  message: `Too many: ${actual}: must have at most ${counted(max, 'item')}`,
})

/** `supported` is shown in the order that it has: hand in a sorted list where Kubernetes keeps a set. */
export const notSupported = (
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  message: withDetail(
    `Unsupported value: ${shown(value)}`,
    supported.length === 0 ? '' : `supported values: ${supported.map(quoted).join(', ')}`,
  ),
})

const withDetail = (body: string, detail: string): string => (detail ? `${body}: ${detail}` : body)

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** A text that an error shows as it is: for values that Kubernetes keeps in an order of its own. */
export class Verbatim {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value as Kubernetes shows it in an error: text and numbers as Go prints them, the rest as JSON. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Verbatim) return value.text
  return typeof value === 'number' ? shownNumber(value) : jsonText(value)
}

/** A number as Go prints it with `%v`; one that fits into 64 bits is taken for an integer. */
export const shownNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? String(value) : shownFloat(value)

/** A floating-point number as Go prints it with `%v`: `2.5`, `1e+07`, `1e-05`. */
export function shownFloat(value: number): string {
  const size = Math.abs(value)
  if (value === 0 || (size >= 1e-4 && size < 1e6)) return String(value)
  return value.toExponential().replace(/([+-])(\d)$/, '$10$2')
}

const plain = /^[ !#-[\]-~]*$/
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["\\]/gu
const named: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** Text as Go quotes it with `%q`. */
export const quoted = (text: string): string =>
  plain.test(text) ? `"${text}"` : `"${text.replace(unprintable, escaped)}"`

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code < 0x20 || code === 0x7f) return named[character] ?? `\\x${hex.padStart(2, '0')}`
  if (code > 0xffff) return `\\U${hex.padStart(8, '0')}`
  return named[character] ?? `\\u${hex.padStart(4, '0')}`
}

/** JSON as Go writes it: keys in order, and nothing that could be read as HTML. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(sorted(value)) ?? 'null').replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
