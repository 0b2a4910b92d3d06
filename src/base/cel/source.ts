/** Something wrong with an expression; `at` is left out where it is about the expression as a whole. */
export interface Issue {
  at?: number
  message: string
}

const MOST_ISSUES = 100
const LONGEST_LINE_SHOWN = 16_384

/** Issues as cel-go shows them: in the order of the text, each with its line and a mark below it. */
export function describeIssues(text: string, issues: readonly Issue[]): string {
  const lines = linesOf(text)
  const told = issues
    .slice(0, MOST_ISSUES)
    .map((issue) => ({ issue, place: placeOf(lines, issue.at) }))
    .toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
    .map(({ issue, place }) => describe(issue.message, place))
  const rest = issues.length - told.length
  return [...told, ...(rest > 0 ? [`${rest} more errors were truncated`] : [])].join('\n')
}

interface Line {
  start: number
  text: string
  /** A dot for each character, wide where that is. */
  dots: string
}

interface Place {
  line: number
  column: number
  source?: Line
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const dots = Array.from(line, (one) => (isWide(one) ? '\uff0e' : '.'))
    lines.push({ start, text: line.replaceAll('\t', ' '), dots: dots.join('') })
    start += dots.length + 1
  }
  return lines
}

function placeOf(lines: readonly Line[], at: number | undefined): Place {
  if (at === undefined) return { line: -1, column: 0 }
  const index = lines.findLastIndex((line) => line.start <= at)
  const source = lines[index]
  return source === undefined
    ? { line: -1, column: 0 }
    : { line: index + 1, column: at - source.start, source }
}

function describe(message: string, { line, column, source }: Place): string {
  const head = `ERROR: <input>:${line}:${line < 0 ? 0 : column + 1}: ${message}`
  if (source === undefined || Buffer.byteLength(source.text) > LONGEST_LINE_SHOWN) return head
  const { text, dots } = source
  const mark = dots[column] === '\uff0e' ? '\uff3e' : '^'
  return `${head}\n | ${text}\n | ${dots.slice(0, column)}${mark}`
}

const isWide = (character: string): boolean => (character.codePointAt(0) ?? 0) > 0x7f
