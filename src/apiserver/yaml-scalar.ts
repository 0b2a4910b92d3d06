import { type Resolved, resolvePlain } from '#base/yaml/resolve-scalar.ts'
import type { YamlScalar } from '#base/yaml/yaml-node.ts'

/** What a scalar is in JSON. Throws in Kubernetes' words. */
export function scalarValue(scalar: YamlScalar): string | number | boolean | null {
  const { tag, value } = resolved(scalar)
  if (tag === '!!timestamp') return scalar.text
  return typeof value === 'bigint' ? Number(value) : value
}

// YAML 1.1, which Kubernetes reads, has more words for these than its successor.
const WORDS: ReadonlyMap<string, Resolved> = new Map(
  [
    { value: true, words: ['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'] },
    { value: false, words: ['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'] },
  ].flatMap(({ value, words }) => words.map((word) => [word, { tag: '!!bool', value }] as const)),
)

const LONGEST_WORD = 3

const meaningOf = (text: string): Resolved =>
  (text.length <= LONGEST_WORD ? WORDS.get(text) : undefined) ?? resolvePlain(text)

function resolved(scalar: YamlScalar): Resolved {
  const { tag, text, plain } = scalar
  if (tag === '') return plain ? meaningOf(text) : { tag: '!!str', value: text }
  if (tag === '!!binary') return { tag: '!!str', value: decoded(text) }
  return TYPED.has(tag) ? typed(tag, text) : { tag: '!!str', value: text }
}

const TYPED = new Set(['!!bool', '!!int', '!!float', '!!null', '!!timestamp'])

function typed(tag: string, text: string): Resolved {
  const meaning = meaningOf(text)
  if (meaning.tag === tag || (tag === '!!float' && meaning.tag === '!!int')) return meaning
  throw new Error(`yaml: cannot decode ${meaning.tag} \`${text}\` as a ${tag}`)
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function decoded(text: string): string {
  if (BASE64.test(text.replaceAll('\n', ''))) return Buffer.from(text, 'base64').toString()
  throw new Error('yaml: !!binary value contains invalid base64 data')
}

/** What a scalar is as a key in JSON. */
export function scalarKey(scalar: YamlScalar): string {
  const value = scalarValue(scalar)
  if (typeof value === 'string') return value
  if (value === null) throw new Error('unsupported map key of type: %!s(<nil>), key: <nil>')
  return typeof value === 'number' && !Number.isInteger(value) ? fractionKey(value) : `${value}`
}

/** As Go writes a number of 32 bits, with as few digits as tell it from others. */
function fractionKey(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf'
  const short = Math.fround(value)
  let digits = 1
  while (Math.fround(Number(short.toPrecision(digits))) !== short) digits++
  const [mantissa = '', power = ''] = short.toExponential(digits - 1).split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < MOST_DIGITS) return `${Number(short.toPrecision(digits))}`
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${`${Math.abs(exponent)}`.padStart(2, '0')}`
}

const MOST_DIGITS = 6
