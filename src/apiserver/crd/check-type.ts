import { quoted, typeInvalid } from '#apiserver/field-error.ts'
import type { SchemaNode } from './node.ts'
import { fieldName, pathText, type Run } from './run.ts'

/** The type of a JSON value, as schemas name types. A whole number is an `integer`. */
function kindOf(value: unknown): string {
  if (typeof value === 'number') return isWhole(value) ? 'integer' : 'number'
  if (typeof value === 'object') return Array.isArray(value) ? 'array' : 'object'
  return typeof value
}

/** Whether Kubernetes would keep a number as an integer of 64 bits. */
export const isWhole = (value: number): boolean =>
  Number.isInteger(value) && Math.abs(value) < 2 ** 63

export const isNullAllowed = ({ types, nullable }: SchemaNode): boolean =>
  types.length === 0 || nullable

/** Adds the error of a value of a wrong type, or of a text that has not its format. */
export function reportType(run: Run, type: string, actual: string): void {
  const detail = `${pathText(run)} in body must be of type ${type}: ${quoted(actual)}`
  run.errors.push(typeInvalid(fieldName(run), actual, detail))
}

export function checkType(node: SchemaNode, value: unknown, run: Run): void {
  const { types, format } = node
  if (types.length === 0 && format === '') return
  run.matches += 1
  const kind = kindOf(value)
  const wrong = types.includes(kind) ? undefined : mismatch(node, kind, value)
  if (wrong) reportType(run, wrong.type, wrong.actual)
  else run.matches += 1
}

const sizes: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' }

/** With a format Kubernetes compares formats first, and takes any list for a text that has one. */
function mismatch(
  { types, format }: SchemaNode,
  kind: string,
  value: unknown,
): { type: string; actual: string } | undefined {
  if (isSameNumber(types, kind, value)) return undefined
  const isTextOrList = kind === 'string' || kind === 'array'
  if (format !== '' && !isTextOrList) return { type: format, actual: sizes[kind] ?? '' }
  const isNumeric = types.includes('number') || types.includes('integer')
  if (format !== '' && !isNumeric) return undefined
  return { type: types.join(','), actual: kind }
}

function isSameNumber(types: readonly string[], kind: string, value: unknown): boolean {
  if (kind === 'integer') return types.includes('number')
  return typeof value === 'number' && types.includes('integer') && isAlmostWhole(value)
}

/** Kubernetes takes a number for whole that is so within a billionth. */
function isAlmostWhole(value: number): boolean {
  if (value < 0 || value > Number.MAX_SAFE_INTEGER) return false
  const whole = Math.trunc(value)
  return whole !== 0 && Math.abs(value - whole) / (value + whole) < 1e-9
}
