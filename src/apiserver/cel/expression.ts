import { check } from '#base/cel/checker.ts'
import { parse } from '#base/cel/parser.ts'
import { describeIssues, type Issue } from '#base/cel/source.ts'
import { optionalOf, type Type } from '#base/cel/types.ts'
import { estimateCost } from './cost-estimate.ts'
import { ruleEnvironment } from './environment.ts'
import type { Evaluate } from './evaluation.ts'
import { evaluator } from './evaluator.ts'
import { checkLiterals } from './literal-checks.ts'
import type { SchemaType } from './schema-type.ts'
import { EvaluationError } from './values.ts'

/** An expression that can be evaluated. */
export interface Expression {
  evaluate: Evaluate
  usesOldSelf: boolean
  /** The most that it can cost by the sizes that the schema allows. */
  maxCost: number
}

interface Scope {
  self: SchemaType
  hasOptionalOldSelf: boolean
}

/** An expression, or why there is none. */
export type Compiled =
  | { expression: Expression }
  /** What is wrong with the text. */
  | { issues: string }
  | { isWrongType: true }
  /** It would fail whatever the values are. */
  | { failure: string }

/** Reads an expression that must be of one type. */
export function compileExpression(text: string, scope: Scope, wanted: Type): Compiled {
  const failed = (issues: readonly Issue[]) => ({ issues: describeIssues(text, issues) })
  const { self, hasOptionalOldSelf } = scope
  const environment = ruleEnvironment(
    new Map([
      ['self', self.type],
      ['oldSelf', hasOptionalOldSelf ? optionalOf(self.type) : self.type],
    ]),
  )
  const parsed = parse(text, environment)
  if (parsed.issues !== undefined) return failed(parsed.issues)
  const { expr } = parsed
  const result = check(expr, environment)
  if (result.issues !== undefined) return failed(result.issues)
  const { checked } = result
  const literals = checkLiterals(expr, checked)
  if (literals.length > 0) return failed(literals)
  if (checked.typeOf(expr).kind !== wanted.kind) return { isWrongType: true }
  let evaluate: Evaluate
  try {
    evaluate = evaluator(expr, checked)
  } catch (error) {
    if (error instanceof EvaluationError) return { failure: error.message }
    throw error
  }
  return {
    expression: {
      evaluate,
      usesOldSelf: checked.names.has('oldSelf'),
      maxCost: estimateCost(expr, checked, self),
    },
  }
}
