import {
  type FieldError,
  forbiddenField,
  invalidField,
  jsonText,
  notSupported,
  required,
  Verbatim,
} from '#apiserver/field-error.ts'
import { isFields } from '#apiserver/objects.ts'
import type { Schema, ValidationRule } from '#apiserver/schema.ts'
import type { Steps } from '#apiserver/steps.ts'
import { MOST } from './cost-range.ts'
import type { Compiled } from './expression.ts'
import { normalizeFieldPath } from './field-path.ts'
import { COST_LIMIT, costMessage, TotalCost } from './rule-costs.ts'
import type { Rule, RuleNode } from './rule-tree.ts'
import { maxCardinality } from './schema-type.ts'

/** What Kubernetes refuses in the rules of a CRD; `root` is the path of its `openAPIV3Schema`. */
export function* ruleProblems(tree: RuleNode | undefined, root: string): Steps<FieldError[]> {
  if (tree === undefined) return []
  const total = new TotalCost()
  const { errors } = yield* problemsAt(tree, { path: root, cardinality: 1, total })
  return [...errors, ...total.problems(root)]
}

interface Place {
  path: string
  /** How often the value can be there; Infinity if nothing limits it. */
  cardinality: number
  /** The list or map whose elements cannot be found again in an update, if it is inside of one. */
  uncorrelatable?: string
  total: TotalCost
}

interface Problems {
  errors: FieldError[]
  /** Whether one is about how a rule is written down: expressions around are not looked at then. */
  isMalformed: boolean
}

function* problemsAt(node: RuleNode, place: Place): Steps<Problems> {
  yield
  const below: Problems[] = []
  for (const [child, where] of childrenOf(node, place)) {
    below.push(yield* problemsAt(child, where))
  }
  const sources = node.schema['x-kubernetes-validations'] ?? []
  const own = sources.flatMap((source, i) =>
    formProblems(source, `${place.path}.x-kubernetes-validations[${i}]`, node.schema),
  )
  const isMalformed = own.length > 0 || below.some((one) => one.isMalformed)
  const errors = [...below.flatMap((one) => one.errors), ...own]
  return { errors: isMalformed ? errors : [...errors, ...ownProblems(node, place)], isMalformed }
}

function childrenOf(node: RuleNode, place: Place): [RuleNode, Place][] {
  const cardinality = place.cardinality * mostElements(node.schema)
  const inner = { ...place, cardinality }
  const children: [RuleNode, Place][] = []
  if (node.values)
    children.push([node.values, { ...inner, path: `${place.path}.additionalProperties` }])
  for (const [name, child] of node.properties) {
    children.push([child, { ...inner, path: `${place.path}.properties[${name}]` }])
  }
  if (node.items) {
    const isMap = node.schema['x-kubernetes-list-type'] === 'map'
    const where = { ...inner, path: `${place.path}.items` }
    children.push([node.items, isMap ? where : { ...where, uncorrelatable: place.path }])
  }
  return children
}

function mostElements({ type, additionalProperties, maxProperties, maxItems }: Schema): number {
  if (type === 'array') return Math.max(0, maxItems ?? Number.POSITIVE_INFINITY)
  const isMap = type === 'object' && isFields(additionalProperties)
  return isMap ? Math.max(0, maxProperties ?? Number.POSITIVE_INFINITY) : 1
}

const REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
]
const LINE_BREAK = /[\n\r]/

function formProblems(rule: ValidationRule, path: string, schema: Schema): FieldError[] {
  const errors = textProblems(rule, path)
  const { messageExpression = '', reason } = rule
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const why = 'messageExpression must be non-empty if specified'
    errors.push(required(`${path}.messageExpression`, why))
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    errors.push(notSupported(`${path}.reason`, reason, REASONS))
  }
  return [...errors, ...pathProblems(rule, path, schema)]
}

function textProblems({ rule, message = '' }: ValidationRule, path: string): FieldError[] {
  const text = rule.trim()
  const shown = message.trim()
  if (text === '') return [required(`${path}.rule`, 'rule is not specified')]
  if (message !== '' && shown === '') {
    return [invalidField(`${path}.message`, message, 'must be non-empty if specified')]
  }
  if (LINE_BREAK.test(shown)) {
    return [invalidField(`${path}.message`, message, 'must not contain line breaks')]
  }
  if (LINE_BREAK.test(text) && shown === '') {
    const why = 'message must be specified if rule contains line breaks'
    return [required(`${path}.message`, why)]
  }
  return []
}

function pathProblems(
  { fieldPath = '' }: ValidationRule,
  path: string,
  schema: Schema,
): FieldError[] {
  if (fieldPath === '') return []
  const problems: string[] = []
  if (fieldPath.trim() === '') problems.push('must be non-empty if specified')
  if (LINE_BREAK.test(fieldPath)) problems.push('must not contain line breaks')
  if (normalizeFieldPath(fieldPath, schema) === undefined) problems.push('must be a valid path')
  return problems.map((problem) => invalidField(`${path}.fieldPath`, fieldPath, problem))
}

function ownProblems(node: RuleNode, place: Place): FieldError[] {
  const sources = node.schema['x-kubernetes-validations'] ?? []
  const { self } = node
  const path = `${place.path}.x-kubernetes-validations`
  if (sources.length > 0 && self === undefined) {
    const why = 'unable to convert structural schema to CEL declarations'
    const what = 'failed to construct type information for x-kubernetes-validations rules'
    const message = `Internal error: internal error: ${what}: ${why}`
    return [{ reason: 'InternalError', field: path, message }]
  }
  const times = Number.isFinite(place.cardinality)
    ? place.cardinality
    : maxCardinality(self?.minSize ?? 0)
  return node.rules.flatMap((rule, i) =>
    expressionProblems(rule, { ...place, cardinality: times, path: `${path}[${i}]` }),
  )
}

function expressionProblems(rule: Rule, place: Place): FieldError[] {
  const { source, compiled, expression } = rule
  const errors: FieldError[] = []
  const cost = Math.min(MOST, (expression?.maxCost ?? 0) * place.cardinality)
  place.total.add(`${place.path}.rule`, cost)
  if (cost > COST_LIMIT) {
    errors.push(forbiddenField(`${place.path}.rule`, costMessage('estimated rule cost', cost)))
  }
  const why = whyNot(compiled, 'program')
  if (why === undefined) errors.push(...messageProblems(rule, place))
  else errors.push(invalidField(`${place.path}.rule`, shownRule(source), why))
  return [...errors, ...oldSelfProblems(rule, place)]
}

function messageProblems(rule: Rule, { path, total }: Place): FieldError[] {
  const compiled = rule.compiledMessage
  if (compiled === undefined) return []
  const field = `${path}.messageExpression`
  if ('expression' in compiled) {
    const { maxCost } = compiled.expression
    total.add(field, maxCost)
    if (maxCost <= COST_LIMIT) return []
    return [forbiddenField(field, costMessage('estimated messageExpression cost', maxCost))]
  }
  const why = whyNot(compiled, 'messageExpression') ?? ''
  return [invalidField(field, shownRule(rule.source), why)]
}

function whyNot(compiled: Compiled, of: 'program' | 'messageExpression'): string | undefined {
  const isRule = of === 'program'
  if ('issues' in compiled) {
    return `${isRule ? '' : 'messageExpression '}compilation failed: ${compiled.issues}`
  }
  if ('failure' in compiled) return `${of} instantiation failed: ${compiled.failure}`
  if ('expression' in compiled) return undefined
  return isRule
    ? 'cel expression must evaluate to a bool'
    : 'messageExpression must evaluate to a string'
}

function oldSelfProblems({ source, expression }: Rule, place: Place): FieldError[] {
  if (expression?.usesOldSelf) {
    if (place.uncorrelatable === undefined) return []
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelatable}`
    return [invalidField(`${place.path}.rule`, source.rule, why)]
  }
  if (source.optionalOldSelf === undefined) return []
  const why = 'may not be set if oldSelf is not used in rule'
  return [invalidField(`${place.path}.optionalOldSelf`, source.optionalOldSelf, why)]
}

/** A rule as Kubernetes shows it in messages. */
function shownRule(rule: ValidationRule): Verbatim {
  const fields = Object.entries({
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  })
  return new Verbatim(
    `{${fields.map(([name, value]) => `"${name}":${jsonText(value)}`).join(',')}}`,
  )
}
