import { invalidField, shownFloat } from '#apiserver/field-error.ts'
import { isWhole } from './check-type.ts'
import type { SchemaNode } from './node.ts'
import { fieldName, pathText, type Run, report, reportLoose } from './run.ts'

export function checkNumber(node: SchemaNode, value: number, run: Run): void {
  const { multipleOf, minimum, maximum } = node.schema
  checkRange(node, { value, what: 'Checked' }, run)
  if (multipleOf !== undefined) checkMultiple(node, { value, limit: multipleOf }, run)
  if (minimum !== undefined) checkMinimum(node, { value, limit: minimum }, run)
  if (maximum !== undefined) checkMaximum(node, { value, limit: maximum }, run)
}

function checkMinimum(node: SchemaNode, { value, limit }: Limit, run: Run): void {
  const bound = boundFor(node, { value, limit, what: 'Minimum boundary' }, run)
  const isExclusive = node.schema.exclusiveMinimum === true
  if (value > bound.value || (!isExclusive && value === bound.value)) return
  const words = isExclusive ? 'greater than' : 'greater than or equal to'
  report(run, value, `should be ${words} ${bound.text}`)
}

function checkMaximum(node: SchemaNode, { value, limit }: Limit, run: Run): void {
  const bound = boundFor(node, { value, limit, what: 'Maximum boundary' }, run)
  const isExclusive = node.schema.exclusiveMaximum === true
  if (value < bound.value || (!isExclusive && value === bound.value)) return
  const words = isExclusive ? 'less than' : 'less than or equal to'
  report(run, value, `should be ${words} ${bound.text}`)
}

interface Limit {
  value: number
  limit: number
}

interface Bound {
  value: number
  text: string
  isWhole: boolean
}

/** Whole numbers are compared with what is whole of a limit that the type can hold. */
function boundFor(
  node: SchemaNode,
  { value, limit, what }: Limit & { what: string },
  run: Run,
): Bound {
  const fits = checkRange(node, { value: limit, what }, run)
  const whole = Math.trunc(limit)
  return fits && isWhole(value)
    ? { value: whole, text: String(whole), isWhole: true }
    : { value: limit, text: shownFloat(limit), isWhole: false }
}

function checkMultiple(node: SchemaNode, { value, limit }: Limit, run: Run): void {
  const factor = boundFor(node, { value, limit, what: 'MultipleOf' }, run)
  if (factor.value <= 0) {
    const detail = `factor MultipleOf declared for ${pathText(run)} must be positive: ${factor.text}`
    run.errors.push(invalidField(fieldName(run), factor.value, detail))
  } else if (!isMultiple(value, factor)) {
    report(run, value, `should be a multiple of ${factor.text}`)
  }
}

function isMultiple(value: number, factor: Bound): boolean {
  if (factor.isWhole) return value % factor.value === 0
  const quotient = factor.value < 1 ? (1 / factor.value) * value : value / factor.value
  const whole = Math.trunc(quotient)
  if (Math.abs(quotient) > Number.MAX_SAFE_INTEGER) return false
  if (quotient === whole) return true
  return quotient > 0 && Math.abs(quotient - whole) / (quotient + whole) < 1e-9
}

interface Held {
  value: number
  what: string
}

/** Whether a number can be held by the type and format; adds the error if not. */
function checkRange({ types, format }: SchemaNode, { value, what }: Held, run: Run): boolean {
  const type = types.length === 1 ? types[0] : ''
  const fits = type === 'integer' ? fitsInteger(format, value) : fitsNumber(format, value)
  if (!fits) {
    const kind = format ? `${type} with format ${format}` : `${type} (default format)`
    reportLoose(run, `${what} value must be of type ${kind} in ${pathText(run)}`)
  }
  return fits
}

const fitsInteger = (format: string, value: number): boolean =>
  isWhole(value) && (format !== 'int32' || (value >= -(2 ** 31) && value < 2 ** 31))

const fitsNumber = (format: string, value: number): boolean =>
  format !== 'float' || Number.isFinite(Math.fround(value))
