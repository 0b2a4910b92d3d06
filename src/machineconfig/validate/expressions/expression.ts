import { check } from '#base/cel/checker.ts'
import { parse } from '#base/cel/parser.ts'
import { describeIssues } from '#base/cel/source.ts'
import { formatType, type Type } from '#base/cel/types.ts'
import { expectedOf, type Purpose } from './environments.ts'

/** What Talos says of a CEL expression, or undefined when it takes it. Never throws. */
export function expressionProblem(text: string, purpose: Purpose): string | undefined {
  const { environment, result } = expectedOf(purpose)
  const parsed = parse(text, environment)
  if (parsed.issues !== undefined) return describeIssues(text, parsed.issues)
  const { expr } = parsed
  const { checked, issues } = check(expr, environment)
  if (issues !== undefined) return describeIssues(text, issues)
  const [found, wanted] = [outputName(checked.typeOf(expr)), outputName(result)]
  return found === wanted ? undefined : `expression output type is ${found}, expected ${wanted}`
}

/** Of what comes out, types that are messages are named as such. */
const outputName = (type: Type): string => MESSAGES.get(type.name) ?? formatType(type)

const MESSAGES = new Map([
  ['duration', 'google.protobuf.Duration'],
  ['timestamp', 'google.protobuf.Timestamp'],
])
