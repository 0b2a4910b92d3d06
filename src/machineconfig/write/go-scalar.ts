import { resolvePlain } from '#base/yaml/resolve-scalar.ts'

/** A text as go-yaml writes it on one line: plain, in single quotes or in double quotes. */
export function goScalar(text: string): string {
  if (SIMPLE.test(text)) return text.length > 5 || !isWord(text) ? text : `"${text}"`
  if (text === '' || isWord(text) || BASE_60.test(text)) return doubleQuoted(text)
  if (resolvePlain(text).tag !== '!!str') return doubleQuoted(text)
  if (UNQUOTABLE.test(text)) return doubleQuoted(text)
  return needsQuotes(text) ? `'${text.replaceAll("'", "''")}'` : text
}

/** The sign and the lines of a text that goes over several lines, or undefined if it must be quoted. */
export function goBlock(text: string, indent: string): string | undefined {
  if (!text.includes('\n') || !/\S/.test(text)) return
  if (text.endsWith(' ') || UNBLOCKABLE.test(text)) return
  const hint = text.startsWith(' ') ? '4' : ''
  const chomp = text.endsWith('\n') ? (/^\n$|\n\n$/.test(text) ? '+' : '') : '-'
  const lines = text.replace(/^(?=[^\n])/gm, indent)
  return `|${hint}${chomp}\n${lines}${chomp === '-' ? '\n' : ''}`
}

/** A number as Go prints it. */
export function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21)
    return Object.is(value, -0) ? '-0' : `${value}`
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf'
  const exponent = Math.floor(Math.log10(Math.abs(value)))
  if (exponent >= -4 && exponent < 21) return `${value}`
  return value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2')
}

// Most of what is written is of this form, and needs no closer look.
const SIMPLE = /^[A-Za-z/][A-Za-z0-9_./@=+-]*$/

const WORDS = new Set(
  ['y', 'yes', 'on', 'n', 'no', 'off', 'true', 'false', 'null'].flatMap((word) => [
    word,
    word.toUpperCase(),
    word.charAt(0).toUpperCase() + word.slice(1),
  ]),
)
const isWord = (text: string): boolean => WORDS.has(text) || text === '<<' || text === '~'

// YAML 1.1 would read `1:30` as a number.
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/

// Letters that only double quotes can hold.
const UNQUOTABLE = /[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/
const UNBLOCKABLE = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]| \n|^\n+ /

const STARTS_ODD = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?: |$)| )/
const ODD_INSIDE = /: | #| $/

// Whether there is a space at all is found far sooner than what is beside it.
const needsQuotes = (text: string): boolean =>
  STARTS_ODD.test(text) || text.endsWith(':') || (text.includes(' ') && ODD_INSIDE.test(text))

const ESCAPES = new Map([
  ['\0', '\\0'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\x1b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x85', '\\N'],
  ['\xa0', '\\_'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
])

const ESCAPED = /["\\]|[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu

/** A text in double quotes. */
export const doubleQuoted = (text: string): string =>
  `"${text.replace(ESCAPED, (letter) => ESCAPES.get(letter) ?? byNumber(letter.codePointAt(0) ?? 0))}"`

function byNumber(code: number): string {
  const digits = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`
}
