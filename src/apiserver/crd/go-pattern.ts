import { classAt } from './go-pattern-class.ts'
import { type Cursor, escapeAt, literal, PatternProblem } from './go-pattern-escape.ts'

interface Flags {
  i: boolean
  m: boolean
  s: boolean
}

/**
 * A regular expression in the syntax of Go (RE2), as one of JavaScript that matches the same texts.
 * Throws a `PatternProblem` with the words that Go has for what is wrong with it.
 */
export function goPattern(source: string): RegExp {
  const cursor: Cursor = { source, at: 0 }
  const flags: Flags = { i: false, m: false, s: false }
  const text = alternatives(cursor, flags)
  if (cursor.at < source.length) throw new PatternProblem('unexpected )', source)
  return new RegExp(text, 'u')
}

function alternatives(cursor: Cursor, flags: Flags): string {
  let text = ''
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== ')') {
    text += repeated(cursor, flags)
  }
  return text
}

function repeated(cursor: Cursor, flags: Flags): string {
  const atom = atomAt(cursor, flags)
  const from = cursor.at
  const count = repetitionAt(cursor)
  if (count === '') return atom
  if (atom === '' || atom === '|') {
    throw new PatternProblem(
      'missing argument to repetition operator',
      cursor.source.slice(from, cursor.at),
    )
  }
  const lazy = cursor.source[cursor.at] === '?'
  if (lazy) cursor.at += 1
  const next = cursor.at
  if (repetitionAt(cursor) !== '') {
    throw new PatternProblem(
      'invalid nested repetition operator',
      cursor.source.slice(from, cursor.at),
    )
  }
  cursor.at = next
  return `(?:${atom})${count}${lazy ? '?' : ''}`
}

const counts = /\{(\d+)(?:(,)(\d*))?\}/y

function repetitionAt(cursor: Cursor): string {
  const character = cursor.source[cursor.at] ?? ''
  if (character !== '' && '*+?'.includes(character)) {
    cursor.at += 1
    return character
  }
  counts.lastIndex = cursor.at
  const match = character === '{' ? counts.exec(cursor.source) : null
  if (!match) return ''
  cursor.at += match[0].length
  const [text, min = '0', , max] = match
  const isTooMuch = Number(min) > 1000 || Number(max || 0) > 1000
  if (isTooMuch || (max && Number(max) < Number(min))) {
    throw new PatternProblem('invalid repeat count', text)
  }
  return text
}

function atomAt(cursor: Cursor, flags: Flags): string {
  const character = String.fromCodePoint(cursor.source.codePointAt(cursor.at) ?? 0)
  if ('*+?'.includes(character)) return ''
  if (character === '(') return groupAt(cursor, flags)
  if (character === '[') return classAt(cursor, flags.i)
  if (character === '\\') return escapeAt(cursor, flags.i)
  cursor.at += character.length
  return signOf(character, flags) ?? literal(character, flags.i)
}

function signOf(character: string, { m, s }: Flags): string | undefined {
  if (character === '|') return '|'
  if (character === '.') return s ? '[^]' : '[^\\n]'
  if (character === '^') return m ? '(?<![^\\n])' : '^'
  if (character === '$') return m ? '(?![^\\n])' : '$'
  return undefined
}

const named = /\(\?P?<([^>]*)>/y
const flagged = /\(\?([imsU]*)(?:-([imsU]+))?([:)])/y

function groupAt(cursor: Cursor, flags: Flags): string {
  const from = cursor.at
  if (cursor.source[from + 1] !== '?') {
    cursor.at += 1
    return closed(cursor, { ...flags })
  }
  named.lastIndex = from
  const name = named.exec(cursor.source)
  if (name) {
    if (!/^\w+$/.test(name[1] ?? '')) throw new PatternProblem('invalid named capture', name[0])
    cursor.at += name[0].length
    return closed(cursor, { ...flags })
  }
  const rest = cursor.source.slice(from)
  if (/^\(\?P?</.test(rest)) throw new PatternProblem('invalid named capture', rest)
  return flaggedAt(cursor, flags)
}

function flaggedAt(cursor: Cursor, flags: Flags): string {
  const from = cursor.at
  flagged.lastIndex = from
  const match = flagged.exec(cursor.source)
  if (!match) {
    const part = cursor.source.slice(from, from + 3)
    throw new PatternProblem('invalid or unsupported Perl syntax', part)
  }
  cursor.at += match[0].length
  const [, on = '', off = '', end] = match
  const inner = { ...flags }
  for (const flag of ['i', 'm', 's'] as const) {
    if (on.includes(flag)) inner[flag] = true
    if (off.includes(flag)) inner[flag] = false
  }
  if (end === ':') return closed(cursor, inner)
  Object.assign(flags, inner)
  return '(?:)'
}

function closed(cursor: Cursor, flags: Flags): string {
  const inner = alternatives(cursor, flags)
  if (cursor.source[cursor.at] !== ')') {
    throw new PatternProblem('missing closing )', cursor.source)
  }
  cursor.at += 1
  return `(?:${inner})`
}
