import { isBlank, isBlankOrEnd, type Source } from './source.ts'

const [TAB, BREAK, HASH, COLON, QUESTION] = [9, 10, 35, 58, 63]
const FLOW = new Set([...',[]{}'].map((letter) => letter.charCodeAt(0)))

/** A scalar without quotes, over as many lines as are indented by more than `indent`. */
export function plainScalar(source: Source, indent: number, flow: boolean): string {
  let text = takeLine(source, flow)
  while (source.code() === BREAK) {
    const breaks = nextLine(source, indent, flow)
    if (breaks === undefined) break
    text += (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)) + takeLine(source, flow)
  }
  return text
}

// What may end a scalar on its line. To look for it so takes a tenth of going letter by letter.
const IN_BLOCK = /[\n\0]|:(?=[ \t\n\0])|[ \t]#/g
const IN_FLOW = /[\n\0,[\]{}]|[:?](?=[ \t\n\0])|[ \t]#/g

/** What there is of it on this line; then at the end of the line, or at what ends the scalar. */
function takeLine(source: Source, flow: boolean): string {
  const { text, at: from } = source
  const stop = flow ? IN_FLOW : IN_BLOCK
  stop.lastIndex = from
  source.at = stop.exec(text)?.index ?? text.length - 1
  let end = source.at
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--
  source.skipBlanks()
  return text.slice(from, end)
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
  Object.assign(source, { at, line, start, tabsUntil: source.at })
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
