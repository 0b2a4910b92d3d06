/** One step of a path; applied to everything that the steps before it have found. */
export type PathStep =
  | { type: 'field'; name: string }
  | { type: 'wildcard' }
  | { type: 'recursive' }
  | { type: 'slice'; start: number; end: number | 'next' | undefined; step: number }
  | { type: 'union'; paths: PathStep[][] }
  | PathFilter
  | { type: 'value'; value: unknown }

export interface PathFilter {
  type: 'filter'
  left: PathStep[]
  operator: string
  right: PathStep[]
}

interface Reader {
  text: string
  at: number
}

/** The steps of a path, without the braces around it. Throws if it is none. */
export function parseJsonPath(text: string): PathStep[] {
  const reader = { text, at: 0 }
  const steps: PathStep[] = []
  while (reader.at < text.length) {
    steps.push(...stepAt(reader))
  }
  return steps
}

function stepAt(reader: Reader): PathStep[] {
  const rest = reader.text.slice(reader.at)
  if (rest.startsWith('[?(')) return [filterAt(reader)]
  if (rest.startsWith('..')) return recursiveAt(reader)
  const character = rest.charAt(0)
  if (' @$'.includes(character)) {
    reader.at += 1
    return []
  }
  if (character === '.') {
    reader.at += 1
    return [fieldAt(reader)]
  }
  if (character === '[') return bracketAt(reader)
  if (character === '"' || character === "'") return [textAt(reader, character)]
  return [scalarAt(reader)]
}

function recursiveAt(reader: Reader): PathStep[] {
  reader.at += 2
  const isNamed = /[\p{L}\p{Nd}_]/u.test(reader.text.charAt(reader.at))
  return isNamed ? [{ type: 'recursive' }, fieldAt(reader)] : [{ type: 'recursive' }]
}

const name = /(?:\\.|[^\s.,[\]$@{}\\])*/y

function fieldAt(reader: Reader): PathStep {
  name.lastIndex = reader.at
  const text = name.exec(reader.text)?.[0] ?? ''
  reader.at += text.length
  return text === '*' ? { type: 'wildcard' } : { type: 'field', name: text.replaceAll('\\', '') }
}

function textAt(reader: Reader, quote: string): PathStep {
  const pattern = new RegExp(`${quote}((?:\\\\.|[^\\\\${quote}])*)${quote}`, 'y')
  pattern.lastIndex = reader.at
  const match = pattern.exec(reader.text)
  if (!match) throw new Error('unterminated quoted string')
  reader.at += match[0].length
  return { type: 'value', value: (match[1] ?? '').replace(/\\(.)/g, '$1') }
}

const scalar = /[+-]?\d[\d.]*|true|false/y

function scalarAt(reader: Reader): PathStep {
  scalar.lastIndex = reader.at
  const text = scalar.exec(reader.text)?.[0]
  if (text === undefined) throw new Error(`unrecognized character in action: ${reader.text}`)
  reader.at += text.length
  const value = text === 'true' || text === 'false' ? text === 'true' : Number(text)
  return { type: 'value', value }
}

const slice = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/

function bracketAt(reader: Reader): PathStep[] {
  const end = reader.text.indexOf(']', reader.at)
  if (end < 0) throw new Error('unterminated array')
  const inner = reader.text.slice(reader.at + 1, end)
  reader.at = end + 1
  const parts = inner.split(',')
  if (parts.length > 1) {
    return [{ type: 'union', paths: parts.map((part) => parseJsonPath(`[${part.trim()}]`)) }]
  }
  const key = /^'([^']*)'$/.exec(inner)
  if (key) return parseJsonPath(`.${key[1] ?? ''}`)
  const match = slice.exec(inner === '*' ? ':' : inner)
  if (!match) throw new Error(`invalid array index ${inner}`)
  const [, start = '', stop, step] = match
  return [
    {
      type: 'slice',
      start: Number(start || 0),
      end: stop === undefined ? 'next' : endIn(stop),
      step: Number(step || 1),
    },
  ]
}

const endIn = (stop: string): number | undefined => (stop === '' ? undefined : Number(stop))

const filter = /\[\?\(((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^)"'])*)\)\]/y
const comparison = /^([^!<>=]+)([!<>=]+)(.+?)$/

function filterAt(reader: Reader): PathFilter {
  filter.lastIndex = reader.at
  const match = filter.exec(reader.text)
  if (!match) throw new Error('unterminated filter')
  reader.at += match[0].length
  const text = match[1] ?? ''
  const [, left, operator, right] = comparison.exec(text) ?? []
  if (left === undefined || operator === undefined) {
    return { type: 'filter', left: parseJsonPath(text), operator: 'exists', right: [] }
  }
  return {
    type: 'filter',
    left: parseJsonPath(left),
    operator,
    right: parseJsonPath(right ?? ''),
  }
}
