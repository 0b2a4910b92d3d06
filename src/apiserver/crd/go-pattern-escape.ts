/** Where in a pattern a reader is. */
export interface Cursor {
  source: string
  at: number
}

/** What Go says about a regular expression that is none. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem'

  constructor(what: string, where: string) {
    super(`error parsing regexp: ${what}: \`${where}\``)
  }
}

/** One character as JavaScript matches it, in both cases if told. */
export function literal(character: string, ignoreCase: boolean): string {
  const lower = character.toLowerCase()
  const upper = character.toUpperCase()
  if (!ignoreCase || lower === upper || lower.length !== upper.length) return safe(character)
  return `[${lower}${upper}]`
}

/** One character, so that it means only itself in a JavaScript pattern or class. */
export const safe = (character: string): string =>
  /[\^$\\.*+?()[\]{}|/-]/.test(character)
    ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
    : character

/** What stands for many characters: as a part of a class, and of its opposite. */
const sets: Readonly<Record<string, string>> = {
  d: '0-9',
  D: '\\0-\\/:-\\u{10ffff}',
  s: '\\t\\n\\f\\r ',
  S: '\\0-\\x08\\x0b\\x0e-\\x1f!-\\u{10ffff}',
  w: '0-9A-Z_a-z',
  W: '\\0-\\/:-@\\[-\\^`\\{-\\u{10ffff}',
}

const assertions: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  b: '\\b',
  B: '\\B',
}

/** Reads an escape outside of a class. */
export function escapeAt(cursor: Cursor, ignoreCase: boolean): string {
  const next = cursor.source[cursor.at + 1]
  const assertion = next === undefined ? undefined : assertions[next]
  if (assertion !== undefined) {
    cursor.at += 2
    return assertion
  }
  if (next === 'Q') return verbatimAt(cursor, ignoreCase)
  const set = setAt(cursor)
  if (set !== undefined) return `[${set}]`
  return literal(characterAt(cursor), ignoreCase)
}

function verbatimAt(cursor: Cursor, ignoreCase: boolean): string {
  const end = cursor.source.indexOf('\\E', cursor.at)
  const text = cursor.source.slice(cursor.at + 2, end < 0 ? undefined : end)
  cursor.at = end < 0 ? cursor.source.length : end + 2
  return [...text].map((character) => literal(character, ignoreCase)).join('')
}

const unicode = /\\(p|P)(?:\{(\^?)(\w+)\}|(\w))/y

/** Reads `\d`, `\pL` and their like, as what stands in a class for them. */
export function setAt(cursor: Cursor): string | undefined {
  const next = cursor.source[cursor.at + 1] ?? ''
  const set = sets[next]
  if (set !== undefined) {
    cursor.at += 2
    return set
  }
  unicode.lastIndex = cursor.at
  const match = unicode.exec(cursor.source)
  if (!match) return undefined
  const [text, kind, not, name = match[4] ?? ''] = match
  cursor.at += text.length
  const isOpposite = (kind === 'P') !== (not === '^')
  const property = name.length <= 2 ? name : `Script=${name}`
  const part = `\\${isOpposite ? 'P' : 'p'}{${property}}`
  try {
    new RegExp(part, 'u')
  } catch {
    throw new PatternProblem('invalid character class range', text)
  }
  return part
}

const controls: Readonly<Record<string, string>> = {
  a: '\x07',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const hexadecimal = /\\x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]+)\})/y
const octal = /\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/y

/** Reads an escape that stands for one character. */
export function characterAt(cursor: Cursor): string {
  const { source, at } = cursor
  const next = source[at + 1]
  if (next === undefined) throw new PatternProblem('trailing backslash at end of expression', '')
  hexadecimal.lastIndex = at
  octal.lastIndex = at
  const hex = hexadecimal.exec(source)
  const oct = octal.exec(source)
  if (hex) {
    cursor.at += hex[0].length
    return String.fromCodePoint(Number.parseInt(hex[1] ?? hex[2] ?? '0', 16))
  }
  if (oct) {
    cursor.at += oct[0].length
    return String.fromCodePoint(Number.parseInt(oct[1] ?? '0', 8))
  }
  const control = controls[next]
  if (control === undefined && (/[0-9A-Za-z]/.test(next) || next > '~')) {
    throw new PatternProblem('invalid escape sequence', source.slice(at, at + 2))
  }
  cursor.at += 2
  return control ?? next
}
