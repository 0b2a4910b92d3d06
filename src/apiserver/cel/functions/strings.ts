import { characterCount, EvaluationError, PlainList, type Value } from '#apiserver/cel/values.ts'
import { type CelFunction, int, list, text } from './argument.ts'
import { formatText } from './string-format.ts'

const isBasic = (value: string): boolean => characterCount(value) === value.length
const charactersOf = (value: string): string[] => (isBasic(value) ? value.split('') : [...value])

function outOfRange(index: bigint): EvaluationError {
  return new EvaluationError(`index out of range: ${index}`)
}

function indexWithin(value: bigint, length: number): number {
  if (value < 0n || value > BigInt(length)) throw outOfRange(value)
  return Number(value)
}

function charAt([value, index]: readonly Value[]): Value {
  const characters = charactersOf(text(value))
  return characters[indexWithin(int(index), characters.length)] ?? ''
}

function substring([value, start, end]: readonly Value[]): Value {
  const characters = charactersOf(text(value))
  const from = int(start)
  const to = end === undefined ? BigInt(characters.length) : int(end)
  if (end !== undefined && from > to) {
    throw new EvaluationError(`invalid substring range. start: ${from}, end: ${to}`)
  }
  const first = indexWithin(from, characters.length)
  return characters.slice(first, indexWithin(to, characters.length)).join('')
}

/** From places in UTF-16 to places in characters. */
const characterIndex = (value: string, index: number): bigint =>
  index < 0 ? -1n : BigInt(characterCount(value.slice(0, index)))

/** Where a text first or last stands in another, counted in characters. */
export function indexOfText([value, part, offset]: readonly Value[], last: boolean): Value {
  const whole = text(value)
  const wanted = text(part)
  const count = characterCount(whole)
  const from = offset === undefined ? undefined : int(offset)
  if (wanted === '') return from ?? (last ? BigInt(count) : 0n)
  if (from !== undefined && from < 0n) throw outOfRange(from)
  if (from !== undefined && from >= BigInt(count)) return -1n
  const start = from === undefined ? undefined : utf16Index(whole, Number(from))
  const found = last ? whole.lastIndexOf(wanted, start) : whole.indexOf(wanted, start)
  return characterIndex(whole, found)
}

const utf16Index = (value: string, characters: number): number =>
  isBasic(value) ? characters : [...value].slice(0, characters).join('').length

function replace([value, old, by, limit]: readonly Value[]): Value {
  const whole = text(value)
  const from = text(old)
  const to = text(by)
  const count = limit === undefined ? -1n : int(limit)
  if (count < 0n) {
    return from === ''
      ? replaceEmpty(whole, to, Number.POSITIVE_INFINITY)
      : whole.replaceAll(from, to.replaceAll('$', '$$$$'))
  }
  if (from === '') return replaceEmpty(whole, to, Number(count))
  const parts = whole.split(from)
  const replaced = Number(count) < parts.length ? Number(count) + 1 : parts.length
  return [parts.slice(0, replaced).join(to), ...parts.slice(replaced)].join(from)
}

function replaceEmpty(whole: string, to: string, limit: number): string {
  const characters = charactersOf(whole)
  const head = characters.map((one, i) => (i < limit ? to + one : one)).join('')
  return limit > characters.length ? head + to : head
}

function split([value, separator, limit]: readonly Value[]): Value {
  const whole = text(value)
  const by = text(separator)
  const count = limit === undefined ? -1n : int(limit)
  if (count === 0n) return new PlainList([])
  const parts = by === '' ? charactersOf(whole) : whole.split(by)
  if (count < 0n || parts.length <= count) return new PlainList(parts)
  const last = Number(count) - 1
  return new PlainList([...parts.slice(0, last), parts.slice(last).join(by)])
}

function join([values, separator]: readonly Value[]): Value {
  const parts: string[] = []
  for (const part of list(values)) parts.push(text(part))
  return parts.join(separator === undefined ? '' : text(separator))
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
])

const quote = (value: string): string =>
  `"${charactersOf(value)
    .map((one) => ESCAPES.get(one) ?? one)
    .join('')}"`

const SPACE = /^[\s\u0085]+|[\s\u0085]+$/g

export const STRINGS: Readonly<Record<string, CelFunction>> = {
  contains: ([value, part]) => text(value).includes(text(part)),
  startsWith: ([value, part]) => text(value).startsWith(text(part)),
  endsWith: ([value, part]) => text(value).endsWith(text(part)),
  charAt,
  substring,
  replace,
  split,
  join,
  lowerAscii: ([value]) => text(value).replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  upperAscii: ([value]) => text(value).replace(/[a-z]+/g, (part) => part.toUpperCase()),
  trim: ([value]) => text(value).replace(SPACE, ''),
  format: ([value, args]) => formatText(text(value), list(args)),
  'strings.quote': ([value]) => quote(text(value)),
}
