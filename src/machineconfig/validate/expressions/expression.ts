import { type CelType, formatType } from './cel-type.ts'
import { check } from './check.ts'
import { environmentOf, type Purpose } from './environments.ts'
import { type Issue, NOWHERE } from './tokens.ts'

// A tenth of what Talos takes: to judge that much would keep others waiting, and nobody writes it.
const MOST_CHARACTERS = 10_000
const MOST_ISSUES = 100

/** What Talos says of a CEL expression, or undefined when it takes it. Never throws. */
export function expressionProblem(text: string, purpose: Purpose): string | undefined {
  const environment = environmentOf(purpose)
  const size = text.length > MOST_CHARACTERS ? [...text].length : 0
  if (size > MOST_CHARACTERS) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${MOST_CHARACTERS}`
    return shown({ at: NOWHERE, message }, text)
  }
  const { issues, type } = check(text, environment)
  if (issues.length > 0) return list(issues, text)
  const [found, wanted] = [outputName(type), outputName(environment.result)]
  return found === wanted ? undefined : `expression output type is ${found}, expected ${wanted}`
}

function list(issues: readonly Issue[], text: string): string {
  const told = issues.slice(0, MOST_ISSUES).map((issue) => shown(issue, text))
  const rest = issues.length - told.length
  return [...told, ...(rest > 0 ? [`${rest} more errors were truncated`] : [])].join('\n')
}

/** An issue with the line that it is in and a mark below its place. */
function shown({ at, message }: Issue, text: string): string {
  if (at === NOWHERE) return `ERROR: <input>:-1:0: ${message}`
  const before = text.slice(0, at).split('\n')
  const lineNumber = before.length
  const column = before.at(-1) ?? ''
  const line = text.split('\n')[lineNumber - 1] ?? ''
  const dots = dotsFor(column)
  const mark = isWide(String.fromCodePoint(text.codePointAt(at) ?? 0)) ? '＾' : '^'
  return `ERROR: <input>:${lineNumber}:${dots.length + 1}: ${message}\n | ${line}\n | ${dots}${mark}`
}

/** One for each character, wide ones below those that are. */
const dotsFor = (column: string): string =>
  isWide(column)
    ? Array.from(column, (character) => (isWide(character) ? '．' : '.')).join('')
    : '.'.repeat(column.length)

const isWide = (text: string): boolean => Buffer.byteLength(text) > text.length

/** Of what comes out, types that are messages are named as such. */
const outputName = (type: CelType): string => MESSAGES.get(type.name) ?? formatType(type)

const MESSAGES = new Map([
  ['duration', 'google.protobuf.Duration'],
  ['timestamp', 'google.protobuf.Timestamp'],
])
