import { type ApiFailure, badRequest } from '#apiserver/failure.ts'
import { labelValue, qualifiedName } from '#apiserver/metadata/label-rules.ts'
import { LabelTokens, type Token } from './label-tokens.ts'

/** Whether the labels of an object are among those that are asked for. */
export type LabelSelector = (labels: Readonly<Record<string, unknown>>) => boolean

const OPERATORS = ['in', 'notin', '=', '==', '!=', '>', '<']

/**
 * Reads `a=b,c!=d,e in (f,g),h notin (i),j,!k`. Undefined for an empty selector, which selects
 * everything; fails in Kubernetes' words where it cannot be read.
 */
export function labelSelectorOf(text: string): LabelSelector | undefined {
  const tokens = new LabelTokens(text)
  if (tokens.peek().type === 'end') return undefined
  const requirements: LabelSelector[] = []
  demandStart(tokens, "!, identifier, or 'end of string'")
  for (;;) {
    requirements.push(requirement(tokens))
    if (tokens.peek().type === 'end') break
    if (!tokens.isNext(',')) throw unexpected(tokens.peek(), "',' or 'end of string'")
    tokens.take()
    demandStart(tokens, "identifier after ','")
  }
  return (labels) => requirements.every((holds) => holds(labels))
}

function demandStart(tokens: LabelTokens, expected: string): void {
  if (tokens.peek().type !== 'word' && !tokens.isNext('!'))
    throw unexpected(tokens.peek(), expected)
}

const unexpected = ({ text }: Token, expected: string): ApiFailure =>
  badRequest(`found '${text}', expected: ${expected}`)

/** Within a requirement, the sentence says so. */
const unparsable = (why: string): ApiFailure => badRequest(`unable to parse requirement: ${why}`)

function requirement(tokens: LabelTokens): LabelSelector {
  const isNegated = tokens.isNext('!')
  if (isNegated) tokens.take()
  const key = wordOf(tokens)
  demand('<nil>', key, qualifiedName(key))
  if (isNegated) return (labels) => !Object.hasOwn(labels, key)
  if (tokens.peek().type === 'end' || tokens.isNext(',')) {
    return (labels) => Object.hasOwn(labels, key)
  }
  const operator = tokens.take()
  if (!OPERATORS.includes(operator.text)) {
    throw unparsable(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`)
  }
  return withValues(tokens, key, operator.text)
}

function wordOf(tokens: LabelTokens): string {
  const token = tokens.take()
  if (token.type !== 'word') throw unparsable(`found '${token.text}', expected: identifier`)
  return token.text
}

function withValues(tokens: LabelTokens, key: string, operator: string): LabelSelector {
  if (operator === 'in' || operator === 'notin') {
    const values = setOfValues(tokens, key)
    const isIn = operator === 'in'
    return (labels) => (Object.hasOwn(labels, key) ? values.has(labels[key]) === isIn : !isIn)
  }
  const value = tokens.peek().type === 'end' || tokens.isNext(',') ? '' : wordOf(tokens)
  demand(`values[0][${key}]`, value, labelValue(value))
  if (operator === '!=') return (labels) => labels[key] !== value
  if (operator === '>' || operator === '<') return comparison(key, operator, value)
  return (labels) => labels[key] === value
}

function setOfValues(tokens: LabelTokens, key: string): Set<unknown> {
  const open = tokens.take()
  if (open.text !== '(') {
    throw unparsable(`found '${open.text}' expected: '('`)
  }
  const values = valuesUntilClosed(tokens)
  for (const [index, value] of values.entries()) {
    demand(`values[${index}][${key}]`, value, labelValue(value))
  }
  return new Set(values)
}

/** What stands between the parentheses. Where nothing stands beside a comma, it is an empty value. */
function valuesUntilClosed(tokens: LabelTokens): string[] {
  const values: string[] = []
  for (;;) {
    values.push(tokens.isNext(',', ')') ? '' : itemOf(tokens))
    const after = tokens.take()
    if (after.text === ')') return values
    if (after.text !== ',') throw unparsable(`found '${after.text}', expected: ',' or ')'`)
  }
}

function itemOf(tokens: LabelTokens): string {
  const token = tokens.take()
  if (token.type !== 'word')
    throw unparsable(`found '${token.text}', expected: ',', ')' or identifier`)
  return token.text
}

function comparison(key: string, operator: string, bound: string): LabelSelector {
  if (!/^-?\d+$/.test(bound)) {
    throw unparsable(
      `values[0]: Invalid value: ${JSON.stringify(bound)}: for 'Gt', 'Lt' operators, the value must be an integer`,
    )
  }
  const limit = Number(bound)
  return (labels) => {
    const value = labels[key]
    if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return false
    return operator === '<' ? Number(value) < limit : Number(value) > limit
  }
}

function demand(field: string, value: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  throw unparsable(`${field}: Invalid value: ${JSON.stringify(value)}: ${problems.join('; ')}`)
}
