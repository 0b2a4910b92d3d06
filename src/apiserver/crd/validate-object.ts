import { type FieldError, forbiddenField, notSupported } from '#apiserver/field-error.ts'
import { isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { checkCombined } from './check-combined.ts'
import { checkFields } from './check-fields.ts'
import { checkList } from './check-list.ts'
import { checkNumber } from './check-number.ts'
import { checkString } from './check-string.ts'
import { checkType, isNullAllowed, reportType } from './check-type.ts'
import { MatchingExceeded, matchAllowance } from './match-allowance.ts'
import { nodeOf, type SchemaNode } from './node.ts'
import { fieldName, type Run, visit } from './run.ts'
import { same } from './same.ts'

interface Before {
  /** What the value was: errors in what has not changed since are forgiven. */
  old?: unknown
  /** What fields are named below, if not the object as a whole: `status`. */
  base?: string
}

/** What is wrong with a value by its schema. CEL, list types and embedded objects aside. */
export function validateValue(schema: Schema, value: unknown, before: Before = {}): FieldError[] {
  const node = nodeOf(schema)
  const { old, base = '' } = before
  const errors: FieldError[] = []
  const pair = old === undefined ? undefined : { value, old, node }
  const spend = matchAllowance()
  const run: Run = { errors, matches: 0, path: [], base, pair, spend, check }
  try {
    visit(node, value, run)
  } catch (error) {
    if (!(error instanceof MatchingExceeded)) throw error
    // Not to the errors of the run: those may be of an alternative, where they count for nothing.
    errors.push(forbiddenField(fieldName(run), 'takes too long to match with its pattern'))
  }
  return errors.length > 1 ? withoutRepeats(errors) : errors
}

function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>()
  return errors.filter(({ field, message }) => {
    const text = `${field}: ${message}`
    return !seen.has(text) && seen.add(text)
  })
}

function check(node: SchemaNode, value: unknown, run: Run): void {
  if (value === null || value === undefined) {
    checkNull(node, run)
    return
  }
  checkType(node, value, run)
  checkCombined(node, value, run)
  // One for each check that applies, one more where it counts itself, and one for the whole.
  run.matches += 4
  checkContent(node, value, run)
  if (node.schema.enum) checkEnum(node, value, run)
  if (isFields(value)) checkFields(node, value, run)
}

function checkContent(node: SchemaNode, value: unknown, run: Run): void {
  if (typeof value === 'boolean') return
  const countsItself = typeof value === 'number' || Array.isArray(value)
  run.matches += countsItself ? 2 : 1
  if (typeof value === 'string') checkString(node, value, run)
  else if (typeof value === 'number') checkNumber(node, value, run)
  else if (Array.isArray(value)) checkList(node, value, run)
}

function checkNull(node: SchemaNode, run: Run): void {
  if (isNullAllowed(node)) run.matches += 1
  else reportType(run, node.types.join(','), 'null')
  if (node.schema.enum) checkEnum(node, null, run)
}

function checkEnum({ schema }: SchemaNode, value: unknown, run: Run): void {
  const allowed = schema.enum
  // Kubernetes never finds a null in the list, even where it is there.
  if (!allowed?.length || (value !== null && allowed.some((one) => isSame(one, value)))) return
  const texts = allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  run.errors.push(notSupported(fieldName(run), value, texts))
}

/** Kubernetes cuts a fraction off before it compares a number with a whole one. */
const isSame = (one: unknown, value: unknown): boolean =>
  typeof one === 'number' && typeof value === 'number' && Number.isInteger(one)
    ? Math.trunc(value) === one
    : same(one, value)
