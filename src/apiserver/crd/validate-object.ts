import { type FieldError, forbiddenField, mostTold, notSupported } from '#apiserver/field-error.ts'
import { isFields } from '#apiserver/objects.ts'
import { isDeepEqual } from '#apiserver/ownership/compare.ts'
import type { Schema } from '#apiserver/schema.ts'
import { atOnce, isDue, type Steps } from '#apiserver/steps.ts'
import { checkCombined } from './check-combined.ts'
import { checkFields } from './check-fields.ts'
import { checkList } from './check-list.ts'
import { checkNumber } from './check-number.ts'
import { checkString } from './check-string.ts'
import { checkType, isNullAllowed, reportType } from './check-type.ts'
import { MatchingExceeded, matchAllowance } from './match-allowance.ts'
import { nodeInSteps, type SchemaNode } from './node.ts'
import { fieldName, type Run, visit } from './run.ts'

interface Before {
  /** What the value was: errors in what has not changed since are forgiven. */
  old?: unknown
  /** What fields are named below, if not the object as a whole: `status`. */
  base?: string
}

/** What is wrong with a value by its schema. CEL, list types and embedded objects aside. */
export const validateValue = (schema: Schema, value: unknown, before: Before = {}): FieldError[] =>
  atOnce(validateInSteps(schema, value, before))

/** The same, with pauses. */
export function* validateInSteps(
  schema: Schema,
  value: unknown,
  before: Before = {},
): Steps<FieldError[]> {
  const node = yield* nodeInSteps(schema)
  const { old, base = '' } = before
  const errors: FieldError[] = []
  const pair = old === undefined ? undefined : { value, old, node }
  const spend = matchAllowance()
  const run: Run = { errors, matches: 0, path: [], base, pair, spend, check }
  try {
    yield* visit(node, value, run)
  } catch (error) {
    if (!(error instanceof MatchingExceeded)) throw error
    // Not to the errors of the run: those may be of an alternative, where they count for nothing.
    errors.push(forbiddenField(fieldName(run), 'takes too long to match with its pattern'))
  }
  return errors.length > 1 ? mostTold(yield* withoutRepeats(errors)) : errors
}

function* withoutRepeats(errors: readonly FieldError[]): Steps<FieldError[]> {
  const seen = new Set<string>()
  const first: FieldError[] = []
  for (const error of errors) {
    const text = `${error.field}: ${error.message}`
    if (!seen.has(text)) first.push(error)
    seen.add(text)
    if (isDue()) yield
  }
  return first
}

function* check(node: SchemaNode, value: unknown, run: Run): Steps<void> {
  if (value === null || value === undefined) {
    yield* checkNull(node, run)
    return
  }
  checkType(node, value, run)
  yield* checkCombined(node, value, run)
  // One for each check that applies, one more where it counts itself, and one for the whole.
  run.matches += 4
  yield* checkContent(node, value, run)
  if (node.schema.enum) yield* checkEnum(node, value, run)
  if (isFields(value)) yield* checkFields(node, value, run)
}

function* checkContent(node: SchemaNode, value: unknown, run: Run): Steps<void> {
  if (typeof value === 'boolean') return
  const countsItself = typeof value === 'number' || Array.isArray(value)
  run.matches += countsItself ? 2 : 1
  if (typeof value === 'string') checkString(node, value, run)
  else if (typeof value === 'number') checkNumber(node, value, run)
  else if (Array.isArray(value)) yield* checkList(node, value, run)
}

function* checkNull(node: SchemaNode, run: Run): Steps<void> {
  if (isNullAllowed(node)) run.matches += 1
  else reportType(run, node.types.join(','), 'null')
  if (node.schema.enum) yield* checkEnum(node, null, run)
}

function* checkEnum({ schema }: SchemaNode, value: unknown, run: Run): Steps<void> {
  const allowed = schema.enum
  if (!allowed?.length || (yield* isAmong(allowed, value))) return
  const texts = allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  run.errors.push(notSupported(fieldName(run), value, texts))
}

function* isAmong(allowed: readonly unknown[], value: unknown): Steps<boolean> {
  // Kubernetes never finds a null in the list, even where it is there.
  if (value === null) return false
  for (const one of allowed) {
    if (isDue()) yield
    if (one === value || isSameNumber(one, value) || (yield* isDeepEqual(one, value))) return true
  }
  return false
}

/** Kubernetes cuts a fraction off before it compares a number with a whole one. */
const isSameNumber = (one: unknown, value: unknown): boolean =>
  typeof one === 'number' &&
  typeof value === 'number' &&
  Number.isInteger(one) &&
  Math.trunc(value) === one
