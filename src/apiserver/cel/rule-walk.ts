import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  required,
} from '#apiserver/field-error.ts'
import { isFields } from '#apiserver/objects.ts'
import type { Steps } from '#apiserver/steps.ts'
import { type Correlation, itemsByKey, oldItem } from './correlation.ts'
import { CostExceeded, type Evaluate, Evaluation } from './evaluation.ts'
import { fromJson } from './json-values.ts'
import type { Rule, RuleNode } from './rule-tree.ts'
import { withObjectMeta } from './schema-type.ts'
import { EvaluationError, NONE, OptionalValue, type Value } from './values.ts'
import { allowWork, WorkExceeded, workLeft } from './work.ts'

/** A value on the way through an object. */
interface Visited {
  value: unknown
  /** The value that rules see as `oldSelf`. */
  old: unknown
  path: string
  /** The value beside what it replaces, where that can be told. */
  current: Correlation | undefined
  /** The nearest one around it for which it could be told. */
  around?: Correlation | undefined
}

const MOST_PER_RULE = 1_000_000
const MOST_PER_OBJECT = 10_000_000
/** So that no object keeps other requests waiting for more than 50 ms. */
const MOST_WORK = 500_000
const LONGEST_MESSAGE = 5 * 1024
const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run'

// Checking the rules of this many values takes a millisecond or two.
const BETWEEN_PAUSES = 50

/** Others may validate meanwhile. */
function* pause(): Steps<void> {
  const left = workLeft()
  yield
  allowWork(left)
}

/** Goes through a value beside the rules of its schema and gathers those that it does not keep. */
export class RuleWalk {
  readonly errors: FieldError[] = []
  private budget = MOST_PER_OBJECT
  private checked = 0
  private readonly warn: ((text: string) => void) | undefined

  constructor(warn: ((text: string) => void) | undefined) {
    this.warn = warn
    allowWork(MOST_WORK)
  }

  *visit(node: RuleNode, at: Visited): Steps<void> {
    if (at.value === null || at.value === undefined || this.budget < 0) return
    if (node.rules.length > 0) {
      this.check(node, at)
      this.checked += 1
      if (this.checked % BETWEEN_PAUSES === 0) yield* pause()
    }
    if (Array.isArray(at.value)) yield* this.visitItems(node, at, at.value)
    else if (isFields(at.value)) yield* this.visitFields(node, at)
  }

  private *visitItems(node: RuleNode, at: Visited, items: readonly unknown[]): Steps<void> {
    if (node.items === undefined) return
    const before = Array.isArray(at.old) ? itemsByKey(node.schema, at.old) : NO_ITEMS
    for (const [i, value] of items.entries()) {
      if (this.budget < 0) return
      yield* this.visit(node.items, {
        value,
        old: oldItem(node.schema, before, value),
        path: `${at.path}[${i}]`,
        ...next(at, at.current?.item(i)),
      })
    }
  }

  private *visitFields(node: RuleNode, at: Visited): Steps<void> {
    const { value, old } = at
    if (!isFields(value)) return
    for (const name of Object.keys(value)) {
      if (this.budget < 0) return
      const child = node.properties.get(name) ?? node.values
      if (child === undefined) continue
      const isKey = child === node.values
      yield* this.visit(child, {
        value: value[name],
        old: isFields(old) ? old[name] : undefined,
        path: isKey ? `${at.path}[${name}]` : joined(at.path, name),
        ...correlated(at, name),
      })
    }
  }

  private check(node: RuleNode, at: Visited): void {
    if (this.budget === 0) {
      this.refuse(at, node, OUT_OF_BUDGET)
      this.budget = -1
      return
    }
    const seen = new SeenValues(node, at)
    for (const rule of node.rules) {
      if (this.budget < 0) return
      this.evaluate(rule, at, seen)
    }
  }

  private refuse({ path }: Visited, { schema }: RuleNode, detail: string): void {
    this.errors.push(invalidField(path || '<nil>', schema.type ?? '', detail))
  }

  private evaluate(rule: Rule, at: Visited, seen: SeenValues): void {
    const { expression, source } = rule
    if (expression === undefined) return
    const isOptional = source.optionalOldSelf === true
    const isNew = at.old === undefined || at.old === null
    if (expression.usesOldSelf && isNew && !isOptional) return
    const outcome = this.run(expression.evaluate, seen, isOptional)
    if (outcome.isOutOfBudget) {
      this.refuse(at, seen.node, OUT_OF_BUDGET)
      this.budget = -1
    } else if (outcome.problem !== undefined)
      this.refuseFailure(rule, outcome.problem, { at, seen })
    else if (outcome.value !== true) this.refuseValue(rule, at, seen)
  }

  /** Evaluates within what is left of the budget. */
  private run(evaluate: Evaluate, seen: SeenValues, isOptional: boolean): Outcome {
    let run: Evaluation | undefined
    let outcome: Outcome
    try {
      run = new Evaluation(seen.self(), seen.oldSelf(isOptional), MOST_PER_RULE)
      outcome = { value: evaluate(run) }
    } catch (error) {
      if (error instanceof WorkExceeded) return { isOutOfBudget: true }
      if (!(error instanceof EvaluationError || error instanceof CostExceeded)) throw error
      outcome = { problem: error }
    }
    const cost = run?.cost ?? 0
    if (cost > this.budget) return { isOutOfBudget: true }
    this.budget -= cost
    return outcome
  }

  private refuseFailure(
    { source }: Rule,
    problem: Error,
    { at, seen }: { at: Visited; seen: SeenValues },
  ): void {
    const rule = (source.message || source.rule).trim()
    const { message } = problem
    if (problem instanceof CostExceeded) {
      const why = 'no further validation rules will be run due to call cost exceeds limit for rule'
      this.refuse(at, seen.node, `'${message}': ${why}: ${rule}`)
      this.budget = -1
    } else if (message.startsWith('no such overload')) {
      const why = 'call arguments did not match a supported operator, function or macro signature'
      this.refuse(at, seen.node, `'${message}': ${why} for rule: ${rule}`)
    } else this.refuse(at, seen.node, `${message} evaluating rule: ${rule}`)
  }

  private refuseValue(rule: Rule, at: Visited, seen: SeenValues): void {
    const path = rule.fieldPath === '' ? at.path : joined(at.path, rule.fieldPath)
    const said = this.message(rule, seen)
    const error =
      said.problem === undefined
        ? failure(rule, path || '<nil>', { detail: said.text, at, seen })
        : invalidField(path || '<nil>', seen.node.schema.type ?? '', said.problem)
    if (said.problem !== undefined) this.budget = -1
    const isOldNews = !rule.expression?.usesOldSelf && isUnchanged(at)
    if (isOldNews) this.warn?.(`${error.field}: ${error.message}`)
    else this.errors.push(error)
  }

  private message(
    rule: Rule,
    seen: SeenValues,
  ): { text: string; problem?: undefined } | { problem: string } {
    const { source, compiledMessage } = rule
    const fallback = source.message ? source.message.trim() : `failed rule: ${source.rule.trim()}`
    if (compiledMessage === undefined || !('expression' in compiledMessage)) {
      return { text: fallback }
    }
    const { evaluate } = compiledMessage.expression
    const outcome = this.run(evaluate, seen, source.optionalOldSelf === true)
    if (outcome.isOutOfBudget) {
      return {
        problem:
          'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      }
    }
    if (outcome.problem instanceof CostExceeded) {
      const shown = JSON.stringify(source.messageExpression)
      return {
        problem: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${shown}`,
      }
    }
    const text = typeof outcome.value === 'string' ? outcome.value.trim() : ''
    const isUsable =
      text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= LONGEST_MESSAGE
    return { text: isUsable ? text : fallback }
  }
}

interface Outcome {
  value?: Value
  problem?: Error
  isOutOfBudget?: boolean
}

const NO_ITEMS: ReadonlyMap<string, unknown> = new Map()

/** `self` and `oldSelf`, made once for all rules about a value. */
class SeenValues {
  readonly node: RuleNode
  private readonly at: Visited
  private made: { self: Value } | undefined
  private madeOld: { self: Value } | undefined

  constructor(node: RuleNode, at: Visited) {
    this.node = node
    this.at = at
  }

  self(): Value {
    this.made ??= { self: this.convert(this.at.value) }
    return this.made.self
  }

  oldSelf(isOptional: boolean): Value {
    const { old } = this.at
    if (old === undefined || old === null) return isOptional ? NONE : null
    this.madeOld ??= { self: this.convert(old) }
    return isOptional ? new OptionalValue(this.madeOld.self) : this.madeOld.self
  }

  private convert(json: unknown): Value {
    const { schema, isResource } = this.node
    return fromJson(json, isResource ? withObjectMeta(schema) : schema)
  }
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

const isUnchanged = ({ current, around }: Visited): boolean =>
  (current ?? around)?.isUnchanged ?? false

type Sides = Pick<Visited, 'current' | 'around'>

function next({ current, around }: Visited, child: Correlation | undefined): Sides {
  return current === undefined ? { current, around } : { current: child, around: current }
}

function correlated(at: Visited, name: string): Sides {
  const isRoot = at.current !== undefined && at.around === undefined
  // Both sides have been converted to one version: their difference cannot be seen.
  if (isRoot && (name === 'apiVersion' || name === 'kind')) return { current: undefined }
  return next(at, at.current?.field(name))
}

function failure(
  { source }: Rule,
  path: string,
  { detail, at, seen }: { detail: string; at: Visited; seen: SeenValues },
): FieldError {
  const { type } = seen.node.schema
  const isShown = type !== 'object' && type !== 'array'
  switch (source.reason) {
    case 'FieldValueForbidden':
      return forbiddenField(path, detail)
    case 'FieldValueRequired':
      return required(path, detail)
    case 'FieldValueDuplicate':
      return isShown
        ? duplicateField(path, at.value)
        : { reason: 'FieldValueDuplicate', field: path, message: 'Duplicate value' }
    default:
      return isShown
        ? invalidField(path, at.value, detail)
        : { reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${detail}` }
  }
}
