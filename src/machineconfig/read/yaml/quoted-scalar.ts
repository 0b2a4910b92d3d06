import type { ConfigError } from '#machineconfig/config-error.ts'
import { isBlank, type Mark, MOST_ESCAPES, type Source } from './source.ts'

const [BREAK, APOSTROPHE, BACKSLASH] = [10, 39, 92]

/** A scalar in quotes of either kind; line breaks in it are folded. */
export function quotedScalar(source: Source): string {
  const { mark } = source
  const quote = source.code()
  source.at++
  let text = ''
  for (;;) {
    if (++source.escapes > MOST_ESCAPES) throw refusal(source, 'found too many escapes', mark)
    const part = run(source, quote, mark)
    const code = source.code()
    if (code === BREAK) text += trimmed(part) + folded(source, mark)
    else if (code === BACKSLASH) text += part + escaped(source, mark)
    else if (code === APOSTROPHE && source.code(1) === APOSTROPHE) {
      source.at += 2
      text += `${part}'`
    } else {
      source.at++
      return text + part
    }
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

const refusal = (source: Source, why: string, mark: Mark): ConfigError =>
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
