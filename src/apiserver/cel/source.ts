/** Something wrong with an expression; `at` is left out where it is about the expression as a whole. */
export interface Issue {
  at?: number
  message: string
}

const MOST_ISSUES = 100

/** Issues as Kubernetes shows them: in the order of the text, each with its line and a mark below it. */
export function describeIssues(text: string, issues: readonly Issue[]): string {
  const lines = linesOf(text)
  return issues
    .slice(0, MOST_ISSUES)
    .map((issue) => ({ issue, place: placeOf(lines, issue.at) }))
    .toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
    .map(({ issue, place }) => describe(issue.message, place))
    .join('\n')
}

interface Line {
  start: number
  characters: string[]
}

interface Place {
  line: number
  column: number
  characters?: string[]
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const characters = [...line]
    lines.push({ start, characters })
    start += characters.length + 1
  }
  return lines
}

function placeOf(lines: readonly Line[], at: number | undefined): Place {
  if (at === undefined) return { line: -1, column: 0 }
  const index = lines.findLastIndex((line) => line.start <= at)
  const line = lines[index]
  return line === undefined
    ? { line: -1, column: 0 }
    : { line: index + 1, column: at - line.start, characters: line.characters }
}

function describe(message: string, { line, column, characters }: Place): string {
  const head = `ERROR: <input>:${line}:${line < 0 ? 0 : column + 1}: ${message}`
  if (characters === undefined) return head
  const before = characters.slice(0, column)
  const dots = before.map((one) => (isWide(one) ? '\uff0e' : '.')).join('')
  const mark = isWide(characters[column] ?? '') ? '\uff3e' : '^'
  return `${head}\n | ${characters.join('').replaceAll('\t', ' ')}\n | ${dots}${mark}`
}

const isWide = (character: string): boolean => (character.codePointAt(0) ?? 0) > 0x7f
