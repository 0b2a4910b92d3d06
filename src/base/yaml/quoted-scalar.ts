import { isBlank, type Mark, type Source } from './source.ts'
import type { YamlError } from './yaml-error.ts'
import { TextOfParts, type YamlSteps } from './yaml-steps.ts'

const [BREAK, APOSTROPHE, BACKSLASH] = [10, 39, 92]

/** A scalar in quotes of either kind; line breaks in it are folded. Without these and escapes it is read. */
export function quotedScalar(source: Source): string | YamlSteps<string> {
  const { mark } = source
  const quote = source.code()
  source.at++
  const first = run(source, quote, mark)
  return isEnd(source, quote) ? first : moreRuns(source, { first, quote, mark })
}

interface Runs {
  readonly first: string
  readonly quote: number
  readonly mark: Mark
}

function* moreRuns(source: Source, { first, quote, mark }: Runs): YamlSteps<string> {
  const whole = new TextOfParts()
  let part = first
  do {
    if (source.hasTooManyEscapes()) throw refusal(source, 'found too many escapes', mark)
    addRun(source, { part, whole, mark })
    if (source.isDue()) yield
    part = run(source, quote, mark)
  } while (!isEnd(source, quote))
  whole.add(part)
  return whole.text
}

/** Whether the quote at the end is here; then past it. */
function isEnd(source: Source, quote: number): boolean {
  const code = source.code()
  if (code !== quote || (code === APOSTROPHE && source.code(1) === APOSTROPHE)) return false
  source.at++
  return true
}

interface Run {
  readonly part: string
  readonly whole: TextOfParts
  readonly mark: Mark
}

/** Adds a part of the text, and what comes after it. */
function addRun(source: Source, { part, whole, mark }: Run): void {
  const code = source.code()
  whole.add(code === BREAK ? trimmed(part) : part)
  if (code === BREAK) whole.add(folded(source, mark))
  else if (code === BACKSLASH) whole.add(escaped(source, mark))
  else {
    source.at += 2
    whole.add("'")
  }
}

const SINGLE = /['\n]/g
const DOUBLE = /["\\\n]/g

/** What needs no thought: up to the quote at the end, an escape or a line break. */
function run(source: Source, quote: number, mark: Mark): string {
  const { text, at: from } = source
  const stop = quote === APOSTROPHE ? SINGLE : DOUBLE
  stop.lastIndex = from
  const match = stop.exec(text)
  source.at = match ? match.index : text.length - 1
  if (!match) throw refusal(source, 'found unexpected end of stream', mark)
  return text.slice(from, source.at)
}

const refusal = (source: Source, why: string, mark: Mark): YamlError =>
  source.refuse(why, { what: 'while scanning a quoted scalar', mark })

function trimmed(part: string): string {
  let end = part.length
  while (end > 0 && isBlank(part.charCodeAt(end - 1))) end--
  return part.slice(0, end)
}

/** A space for one line break, or the breaks but one. */
function folded(source: Source, mark: Mark): string {
  const breaks = skipBreaks(source, mark)
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)
}

function skipBreaks(source: Source, mark: Mark): number {
  let breaks = 0
  while (source.code() === BREAK) {
    source.newLine()
    breaks++
    if (source.atDocumentMark()) throw refusal(source, 'found unexpected document indicator', mark)
    source.skipBlanks()
  }
  return breaks
}

const ESCAPES = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
])

const DIGITS = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

function escaped(source: Source, mark: Mark): string {
  const letter = source.text.charAt(source.at + 1)
  if (letter === '\n') {
    source.at++
    return '\n'.repeat(skipBreaks(source, mark) - 1)
  }
  const digits = DIGITS.get(letter)
  if (digits) return byNumber(source, digits, mark)
  const meant = ESCAPES.get(letter)
  if (meant === undefined) throw refusal(source, 'found unknown escape character', mark)
  source.at += 2
  return meant
}

function byNumber(source: Source, digits: number, mark: Mark): string {
  const from = source.at + 2
  const number = source.text.slice(from, from + digits)
  if (number.length < digits || /[^0-9a-fA-F]/.test(number)) {
    throw refusal(source, 'did not find expected hexadecimal number', mark)
  }
  const code = Number.parseInt(number, 16)
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw refusal(source, 'found invalid Unicode character escape code', mark)
  }
  source.at = from + digits
  return String.fromCodePoint(code)
}
