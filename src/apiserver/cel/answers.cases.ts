import type { Schema } from '#apiserver/schema.ts'
import { atOnce } from '#apiserver/steps.ts'
import { STRING } from '#base/cel/types.ts'
import { Evaluation } from './evaluation.ts'
import { compileExpression } from './expression.ts'
import { fromJson } from './json-values.ts'
import { schemaType } from './schema-type.ts'
import { EvaluationError } from './values.ts'

/** What an expression about an object is, as text; what is said about it behind a `!` if it is nothing. */
export function answerOf(
  text: string,
  { schema, json }: { schema: Schema; json: unknown },
): string {
  const self = atOnce(schemaType(schema, 'selfType', false))
  if (self === undefined) throw new Error('the schema has no type')
  const scope = { self, hasOptionalOldSelf: false }
  const compiled = compileExpression(`"%s".format([${text}])`, scope, STRING)
  if (!('expression' in compiled)) return JSON.stringify(compiled)
  const run = new Evaluation(fromJson(json, schema), null, 1_000_000)
  try {
    return String(compiled.expression.evaluate(run))
  } catch (error) {
    if (error instanceof EvaluationError) return `!${error.message}`
    throw error
  }
}
