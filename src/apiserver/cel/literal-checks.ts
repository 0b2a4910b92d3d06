import { type Call, childrenOf, type Expr, type ListExpr } from '#base/cel/ast.ts'
import type { Checked } from '#base/cel/checker.ts'
import type { Issue } from '#base/cel/source.ts'
import { formatType, isExactly, isOptional, type Type } from '#base/cel/types.ts'
import { regexOf } from '#base/regex/regex.ts'
import { CLAUSES, clauseProblem, fillClauses } from './functions/string-format.ts'
import { durationOf, isMoment, timestampOf } from './times.ts'
import { EvaluationError } from './values.ts'

/** What is wrong with the literals of an expression whose types are right. */
export function checkLiterals(expr: Expr, checked: Checked): Issue[] {
  const issues: Issue[] = []
  visit(expr, false, (one, isFormatted) => {
    if (one.kind === 'call') issues.push(...callIssues(one, checked))
    else if (!isFormatted) issues.push(...mixtures(one, checked))
  })
  return issues
}

type See = (expr: Expr, isFormatted: boolean) => void

/** Tells of each expression whether it is among what `format()` shows, where types may be mixed. */
function visit(expr: Expr, isFormatted: boolean, see: See): void {
  see(expr, isFormatted)
  const within = isFormatted || (expr.kind === 'call' && expr.name === 'format')
  for (const child of childrenOf(expr)) visit(child, within, see)
}

function callIssues(call: Call, checked: Checked): Issue[] {
  const { name, target } = checked.resolution(call)
  const [first] = call.args
  if (name === 'format') return target === undefined ? [] : formatIssues(call, target, checked)
  const isValid = VALID[name]
  const literal = name === 'matches' && target === undefined ? undefined : first
  if (isValid === undefined || literal?.kind !== 'literal') return []
  const { value } = literal
  const isWrong =
    (typeof value === 'string' && !isValid(value)) ||
    (typeof value === 'bigint' && (name === 'duration' || !isMoment(value)))
  if (!isWrong) return []
  return [{ at: literal.at, message: `invalid ${name} argument` }]
}

const VALID: Readonly<Record<string, (text: string) => boolean>> = {
  matches: (text) => typeof regexOf(text) !== 'string',
  duration: (text) => durationOf(text) !== undefined,
  timestamp: (text) => timestampOf(text) !== undefined,
}

/** Lists and maps whose elements are of several types. */
function mixtures(expr: Expr, checked: Checked): Issue[] {
  const typed = (one: Expr, isOptionalEntry: boolean) => {
    const type = checked.typeOf(one)
    return { at: one.at, type: isOptionalEntry ? (type.parameters[0] ?? type) : type }
  }
  if (expr.kind === 'list') {
    const items = expr.items.map((item, i) => typed(item, expr.optional.has(i)))
    return differences(items).slice(0, 1)
  }
  if (expr.kind !== 'map') return []
  return [
    ...differences(expr.entries.map(({ key }) => typed(key, false))),
    ...differences(expr.entries.map(({ value, optional }) => typed(value, optional))),
  ]
}

function differences(all: readonly { at: number; type: Type }[]): Issue[] {
  const [first, ...rest] = all
  if (first === undefined) return []
  const wanted = formatType(first.type)
  return rest
    .filter(({ type }) => !isExactly(type, first.type))
    .map(({ at, type }) => ({
      at,
      message: `expected type '${wanted}' but found '${formatType(type)}'`,
    }))
}

function formatIssues(call: Call, format: Expr, checked: Checked): Issue[] {
  const [list] = call.args
  if (format.kind !== 'literal' || typeof format.value !== 'string' || list?.kind !== 'list') {
    return []
  }
  try {
    return clauseIssues(call, { format: format.value, list }, checked)
  } catch (error) {
    if (error instanceof EvaluationError) return [{ at: call.at, message: error.message }]
    throw error
  }
}

function clauseIssues(
  call: Call,
  { format, list }: { format: string; list: ListExpr },
  checked: Checked,
): Issue[] {
  const issues: Issue[] = []
  const given = list.items.length
  let used = 0
  fillClauses(format, given, ({ verb }, index) => {
    used += 1
    const item = list.items[index]
    const wrong = item === undefined ? undefined : unfit(verb.toLowerCase(), item, checked)
    if (wrong !== undefined && issues.length === 0) {
      const message = clauseProblem(verb, typeName(checked.typeOf(wrong)))
      issues.push({ at: wrong.at, message })
    }
    return ''
  })
  if (issues.length > 0 || given <= used) return issues
  const counts = `expected ${used}, got ${given}`
  const message = `too many arguments supplied to string.format (${counts})`
  return [{ at: call.at, message }]
}

/** The expression that a clause cannot show: the one given, or one inside it. */
function unfit(verb: string, expr: Expr, checked: Checked): Expr | undefined {
  const type = checked.typeOf(expr)
  if (type.kind !== 'dyn' && !(CLAUSES[verb]?.takes.split(' ') ?? []).includes(type.kind)) {
    return expr
  }
  if (verb !== 's' || (expr.kind !== 'list' && expr.kind !== 'map')) return undefined
  for (const child of childrenOf(expr)) {
    const wrong = unfit(verb, child, checked)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

const LONG_NAMES: Readonly<Record<string, string>> = {
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  null: 'null_type',
}

const typeName = (type: Type): string =>
  isOptional(type) ? 'optional_type' : (LONG_NAMES[type.kind] ?? type.name)
