import { isBlank, type Mark, type Source } from './source.ts'
import type { YamlError } from './yaml-error.ts'
import { TextOfParts, type YamlSteps } from './yaml-steps.ts'

const [TAB, BREAK, SPACE, HASH] = [9, 10, 32, 35]

interface Header {
  readonly folded: boolean
  readonly chomp: '' | '+' | '-'
  /** 0: as much as its first line has. */
  readonly indent: number
}

/** A scalar after `|` or `>`, in a collection at the column `parent`, which is -1 outside of any. */
export function* blockScalar(source: Source, parent: number): YamlSteps<string> {
  const { mark } = source
  const header = readHeader(source, mark)
  const given = header.indent && Math.max(parent, 0) + header.indent
  const lines = new Lines(header.folded)
  const closed = yield* readLines(source, lines, {
    ...{ given, mark },
    least: Math.max(parent + 1, 1),
  })
  const last = closed && header.chomp !== '-' ? '\n' : ''
  return lines.text + last + (header.chomp === '+' ? '\n'.repeat(lines.emptyAtEnd) : '')
}

const HEADER = /[|>](?:([-+])([0-9])?|([0-9])([-+])?)?/y

function readHeader(source: Source, mark: Mark): Header {
  HEADER.lastIndex = source.at
  const [sign = '', before, digitAfter, digitFirst, after] = HEADER.exec(source.text) ?? []
  source.at += sign.length
  const digit = digitAfter ?? digitFirst
  if (digit === '0') throw refusal(source, 'found an indentation indicator equal to 0', mark)
  source.skipBlanks()
  if (source.code() === HASH) source.skipToBreak()
  if (!source.ended && source.code() !== BREAK) {
    throw refusal(source, 'did not find expected comment or line break', mark)
  }
  const chomp = before ?? after
  return {
    folded: sign.startsWith('>'),
    chomp: chomp === '+' || chomp === '-' ? chomp : '',
    indent: Number(digit ?? 0),
  }
}

const refusal = (source: Source, why: string, mark: Mark): YamlError =>
  source.refuse(why, { what: 'while scanning a block scalar', mark })

interface Bounds {
  readonly given: number
  readonly least: number
  readonly mark: Mark
}

/**
 * Takes its lines without indentation, empty ones at the end included; then before the break after it. Says whether
 * the last one that is not empty has its line break.
 */
function* readLines(
  source: Source,
  lines: Lines,
  { given, least, mark }: Bounds,
): YamlSteps<boolean> {
  let [indent, widest, closed] = [given, 0, false]
  while (source.code() === BREAK) {
    if (source.isDue()) yield
    const { at, line, start } = source
    source.newLine()
    skipSpaces(source, indent)
    widest = Math.max(widest, source.column)
    refuseTab(source, indent, mark)
    if (source.code() === BREAK) {
      lines.add('')
      continue
    }
    indent ||= Math.max(widest, least)
    if (source.ended) break
    if (source.column < indent) {
      Object.assign(source, { at, line, start })
      break
    }
    lines.add(takeLine(source))
    closed = source.code() === BREAK
  }
  return closed
}

function refuseTab(source: Source, indent: number, mark: Mark): void {
  if (source.code() === TAB && (indent === 0 || source.column < indent)) {
    throw refusal(source, 'found a tab character where an indentation space is expected', mark)
  }
}

function skipSpaces(source: Source, indent: number): void {
  while (source.code() === SPACE && (indent === 0 || source.column < indent)) source.at++
}

function takeLine(source: Source): string {
  const from = source.at
  source.skipToBreak()
  return source.text.slice(from, source.at)
}

/** Lines as one text. Folded ones are joined with spaces, but those that begin with a blank keep their breaks. */
class Lines {
  readonly #isFolded: boolean
  readonly #whole = new TextOfParts()
  #isAny = false
  #breaks = 0
  #folding = false

  constructor(isFolded: boolean) {
    this.#isFolded = isFolded
  }

  add(line: string): void {
    if (line !== '') {
      const folds = this.#isFolded && !isBlank(line.charCodeAt(0))
      this.#whole.add(this.#folding && folds ? folded(this.#breaks) : '\n'.repeat(this.#breaks))
      this.#whole.add(line)
      this.#folding = folds
      this.#isAny = true
      this.#breaks = 0
    }
    this.#breaks++
  }

  /** All but the break of the last line, and the empty ones after it. */
  get text(): string {
    return this.#whole.text
  }

  get emptyAtEnd(): number {
    return this.#isAny ? this.#breaks - 1 : this.#breaks
  }
}

const folded = (breaks: number): string => (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1))
