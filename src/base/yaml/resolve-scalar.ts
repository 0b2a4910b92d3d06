import { isTimestamp } from './timestamp.ts'
import type { YamlNode, YamlScalar } from './yaml-node.ts'

/** What a scalar means to go-yaml, which follows YAML 1.2 with octal numbers of 1.1. */
export interface Resolved {
  readonly tag: string
  /** A bigint if a number would lose digits; a timestamp is its text. */
  readonly value: string | number | bigint | boolean | null
}

/** What a scalar means, by its tag, its quotes and its text. */
export function resolveScalar({ tag, text, plain }: YamlScalar): Resolved {
  if (tag === '!!str' || (tag === '' && !plain)) return { tag: '!!str', value: text }
  if (tag === '') return resolvePlain(text)
  if (!RESOLVABLE.has(tag)) return { tag, value: text }
  return resolvePlain(text)
}

const RESOLVABLE = new Set(['!!bool', '!!int', '!!float', '!!null', '!!timestamp'])

/** What a text means without quotes and tag. */
export function resolvePlain(text: string): Resolved {
  const first = text.charCodeAt(0)
  if (Number.isNaN(first) || !STARTS[first]) return text === '' ? NULL : asText(text)
  const known = KNOWN.get(text)
  if (known) return known
  if (!NUMERIC.test(text) || text.length > LONGEST_NUMBER) return asText(text)
  if (text.startsWith('.')) return floatOf(text) ?? asText(text)
  if (isTimestamp(text)) return { tag: '!!timestamp', value: text }
  const digits = text.replaceAll('_', '')
  return integerOf(digits) ?? floatOf(digits) ?? asText(text)
}

/** The tag of a node as messages show it: `!!map`, `!!int`. */
export function tagOf(node: YamlNode): string {
  if (node.tag !== '') return node.tag
  if (node.kind === 'map') return '!!map'
  return node.kind === 'list' ? '!!seq' : resolveScalar(node).tag
}

/** Whether it is `null`, `~` or nothing at all. */
export const isNull = (node: YamlNode): boolean =>
  node.kind === 'scalar' &&
  ((node.plain && node.tag === '' && NULLS.has(node.text)) || node.tag === '!!null')

const asText = (text: string): Resolved => ({ tag: '!!str', value: text })
const NULL: Resolved = { tag: '!!null', value: null }
const NULLS = new Set(['', '~', 'null', 'Null', 'NULL'])
// No sane number is longer, and to look at one takes time.
const LONGEST_NUMBER = 1000
const NUMERIC = /^[-+.0-9]/
const STARTS: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  '+-0123456789yYnNtTfFoO~<.'.includes(String.fromCharCode(code)),
)

const KNOWN: ReadonlyMap<string, Resolved> = new Map(
  [
    { tag: '!!bool', value: true, words: ['true', 'True', 'TRUE'] },
    { tag: '!!bool', value: false, words: ['false', 'False', 'FALSE'] },
    { tag: '!!null', value: null, words: [...NULLS] },
    { tag: '!!float', value: Number.NaN, words: ['.nan', '.NaN', '.NAN'] },
    { tag: '!!float', value: Infinity, words: ['.inf', '.Inf', '.INF'] },
    { tag: '!!float', value: Infinity, words: ['+.inf', '+.Inf', '+.INF'] },
    { tag: '!!float', value: -Infinity, words: ['-.inf', '-.Inf', '-.INF'] },
    { tag: '!!float', value: -0, words: ['-0', '-0.0'] },
    { tag: '!!merge', value: '<<', words: ['<<'] },
  ].flatMap(({ tag, value, words }) => words.map((word) => [word, { tag, value }] as const)),
)

const DECIMAL = /^[-+]?(?:0|[1-9][0-9]*)$/
const PREFIXED = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+))$/
const LOWEST = -(2n ** 63n)
const HIGHEST_SIGNED = 2n ** 63n - 1n
const HIGHEST = 2n ** 64n - 1n

function integerOf(digits: string): Resolved | undefined {
  if (DECIMAL.test(digits) && digits.length < 16) return { tag: '!!int', value: Number(digits) }
  const value = bigOf(digits)
  if (value === undefined || !fits(value, digits)) return
  const short = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
  return { tag: '!!int', value: short ? Number(value) : value }
}

// Longer ones are no 64-bit numbers, and reading them would take time that grows with their square.
const LONGEST = 90

function bigOf(digits: string): bigint | undefined {
  if (digits.length > LONGEST) return
  if (DECIMAL.test(digits)) return BigInt(digits.replace('+', ''))
  const [, sign, hex, binary, octal] = PREFIXED.exec(digits) ?? []
  if (sign === undefined) return
  const size = BigInt(hex ? `0x${hex}` : binary ? `0b${binary}` : `0o${octal}`)
  return sign === '-' ? -size : size
}

const fits = (value: bigint, digits: string): boolean =>
  value >= LOWEST && value <= (/^[-+]/.test(digits) ? HIGHEST_SIGNED : HIGHEST)

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

function floatOf(digits: string): Resolved | undefined {
  if (!FLOAT.test(digits)) return
  const value = Number(digits)
  return Number.isFinite(value) ? { tag: '!!float', value } : undefined
}
