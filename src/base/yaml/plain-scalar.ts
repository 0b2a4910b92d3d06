import { isBlank, isBlankOrEnd, type Source } from './source.ts'
import { TextOfParts, type YamlSteps } from './yaml-steps.ts'

const [TAB, BREAK, HASH, COLON, QUESTION] = [9, 10, 35, 58, 63]
const FLOW = new Set([...',[]{}'].map((letter) => letter.charCodeAt(0)))

/** A scalar without quotes, over as many lines as are indented by more than `indent`: often one, then it is read. */
export function plainScalar(
  source: Source,
  indent: number,
  flow: boolean,
): string | YamlSteps<string> {
  const first = takeLine(source, flow)
  if (source.code() !== BREAK) return first
  const breaks = nextLine(source, indent, flow)
  return breaks === undefined ? first : moreLines(source, { first, breaks, indent, flow })
}

interface Lines {
  readonly first: string
  readonly breaks: number
  readonly indent: number
  readonly flow: boolean
}

function* moreLines(source: Source, { first, breaks, indent, flow }: Lines): YamlSteps<string> {
  const whole = new TextOfParts()
  whole.add(first)
  let before: number | undefined = breaks
  while (before !== undefined) {
    whole.add(before === 1 ? ' ' : '\n'.repeat(before - 1))
    whole.add(takeLine(source, flow))
    before = source.code() === BREAK ? nextLine(source, indent, flow) : undefined
    if (source.isDue()) yield
  }
  return whole.text
}

// What may end a scalar on its line. To look for it so takes a tenth of going letter by letter.
const IN_BLOCK = /[\n\0]|:(?=[ \t\n\0])|[ \t]#/g
const IN_FLOW = /[\n\0,[\]{}]|[:?](?=[ \t\n\0])|[ \t]#/g
// Of these, one is part of each of them. To look for one letter takes a tenth of that again.
const SIGNS_IN_BLOCK = ['\n', '\0', ' ', '\t']
const SIGNS_IN_FLOW = [...SIGNS_IN_BLOCK, ',', '[', ']', '{', '}']
const SHORT = 256

/** What there is of it on this line; then at the end of the line, or at what ends the scalar. */
function takeLine(source: Source, flow: boolean): string {
  const { text, at: from } = source
  const stop = flow ? IN_FLOW : IN_BLOCK
  stop.lastIndex = withoutSigns(text, from, flow ? SIGNS_IN_FLOW : SIGNS_IN_BLOCK)
  source.at = stop.exec(text)?.index ?? text.length - 1
  let end = source.at
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--
  source.skipBlanks()
  return text.slice(from, end)
}

/** From where on there may be what ends a scalar. Only worth its while if that is far away. */
function withoutSigns(text: string, from: number, signs: readonly string[]): number {
  let at = from
  for (let size = SHORT; ; size *= 2) {
    const part = text.slice(at, at + size)
    if (part === '' || signs.some((sign) => part.includes(sign))) break
    at += size
  }
  // What is before a sign may be part of what ends the scalar.
  return Math.max(from, at - 1)
}

function endsScalar(code: number, next: number, flow: boolean): boolean {
  if (code === COLON) return isBlankOrEnd(next)
  return flow && (FLOW.has(code) || (code === QUESTION && isBlankOrEnd(next)))
}

/** Goes on to the line that continues it and says how many breaks lie between; or stays. */
function nextLine(source: Source, indent: number, flow: boolean): number | undefined {
  const { at, line, start } = source
  let breaks = 0
  while (source.code() === BREAK) {
    source.newLine()
    breaks++
    skipIndent(source, indent)
  }
  if (continues(source, indent, flow)) return breaks
  source.tabsUntil = source.at
  source.at = at
  source.line = line
  source.start = start
  return
}

function skipIndent(source: Source, indent: number): void {
  while (isBlank(source.code())) {
    if (source.code() === TAB && source.column <= indent) {
      throw source.refuse('found a tab character that violates indentation')
    }
    source.at++
  }
}

function continues(source: Source, indent: number, flow: boolean): boolean {
  if (source.ended || source.code() === HASH || source.atDocumentMark()) return false
  if (!flow && source.column <= indent) return false
  return !endsScalar(source.code(), source.code(1), flow)
}
