import { type Cursor, characterAt, PatternProblem, safe, setAt } from './go-pattern-escape.ts'

const posix: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\0-\\x7f',
  blank: '\\t ',
  cntrl: '\\0-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t-\\r ',
  upper: 'A-Z',
  word: '0-9A-Z_a-z',
  xdigit: '0-9A-Fa-f',
}

/** Reads `[…]`. */
export function classAt(cursor: Cursor, ignoreCase: boolean): string {
  const from = cursor.at
  const { source } = cursor
  cursor.at += 1
  const isOpposite = source[cursor.at] === '^'
  if (isOpposite) cursor.at += 1
  let parts = ''
  for (let isFirst = true; isFirst || source[cursor.at] !== ']'; isFirst = false) {
    if (cursor.at >= source.length) {
      throw new PatternProblem('missing closing ]', source.slice(from))
    }
    parts += namedAt(cursor) ?? rangeAt(cursor, { from, ignoreCase })
  }
  cursor.at += 1
  return `[${isOpposite ? '^' : ''}${parts}]`
}

const posixName = /\[:(\^?)(\w+):\]/y

function namedAt(cursor: Cursor): string | undefined {
  if (cursor.source[cursor.at] === '\\') return setAt(cursor)
  posixName.lastIndex = cursor.at
  const match = posixName.exec(cursor.source)
  if (!match) return undefined
  const [text, not, name = ''] = match
  const set = posix[name]
  if (set === undefined) throw new PatternProblem('invalid character class range', text)
  cursor.at += text.length
  return not === '^' ? opposite(set) : set
}

function opposite(set: string): string {
  const inside = new RegExp(`[${set}]`, 'u')
  const others: string[] = []
  for (let code = 0; code < 128; code += 1) {
    const character = String.fromCodePoint(code)
    if (!inside.test(character)) others.push(`\\u{${code.toString(16)}}`)
  }
  return `${others.join('')}\\u{80}-\\u{10ffff}`
}

interface Within {
  from: number
  ignoreCase: boolean
}

function rangeAt(cursor: Cursor, { from, ignoreCase }: Within): string {
  const start = cursor.at
  const low = oneAt(cursor, from)
  const { source } = cursor
  const isRange = source[cursor.at] === '-' && (source[cursor.at + 1] ?? ']') !== ']'
  if (!isRange) return ignoreCase ? bothCases(low, low) : safe(low)
  cursor.at += 1
  const high = oneAt(cursor, from)
  if ((high.codePointAt(0) ?? 0) < (low.codePointAt(0) ?? 0)) {
    throw new PatternProblem('invalid character class range', source.slice(start, cursor.at))
  }
  return ignoreCase ? bothCases(low, high) : `${safe(low)}-${safe(high)}`
}

function oneAt(cursor: Cursor, from: number): string {
  const { source } = cursor
  if (cursor.at >= source.length) throw new PatternProblem('missing closing ]', source.slice(from))
  if (source[cursor.at] === '\\') return characterAt(cursor)
  const character = String.fromCodePoint(source.codePointAt(cursor.at) ?? 0)
  cursor.at += character.length
  return character
}

/** A range, and the ASCII letters that differ from one of it by case only. */
function bothCases(low: string, high: string): string {
  let parts = low === high ? safe(low) : `${safe(low)}-${safe(high)}`
  for (let code = 65; code <= 90; code += 1) {
    const upper = String.fromCharCode(code)
    const lower = upper.toLowerCase()
    if ((upper >= low && upper <= high) || (lower >= low && lower <= high)) parts += upper + lower
  }
  if (low === high && low > '\x7f') parts += low.toLowerCase() + low.toUpperCase()
  return parts
}
