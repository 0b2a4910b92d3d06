import { momentText, secondsText } from '#apiserver/cel/times.ts'
import {
  Duration,
  EvaluationError,
  ListValue,
  MapValue,
  Timestamp,
  typeNameOf,
  Uint,
  type Value,
} from '#apiserver/cel/values.ts'
import { quoted } from '#apiserver/field-error.ts'
import { toText } from './conversion.ts'

/** A place in a format where a value goes. */
interface Clause {
  verb: string
  precision: number
}

const CLAUSE = /%(?:%|(?:\.(\d*))?([\s\S]|$))/gu

/**
 * Puts something for each clause, such as `%s` or `%.3f`, into a text. Throws EvaluationError for what
 * is no clause.
 */
export function fillClauses(
  format: string,
  count: number,
  fill: (clause: Clause, index: number) => string,
): string {
  let index = 0
  return format.replace(CLAUSE, (whole, precision: string | undefined, verb = '') => {
    if (whole === '%%') return '%'
    if (verb === '' && precision === undefined)
      throw new EvaluationError('unexpected end of string')
    if (index >= count) throw new EvaluationError(`index ${index} out of range`)
    const clause = { verb, precision: precisionOf(precision, verb) }
    if (!VERBS.has(verb)) throw unparsed(`unrecognized formatting clause "${verb}"`)
    index += 1
    return fill(clause, index - 1)
  })
}

const VERBS = new Set('sdfebxXo')

const unparsed = (why: string): EvaluationError =>
  new EvaluationError(`could not parse formatting clause: ${why}`)

function precisionOf(digits: string | undefined, verb: string): number {
  if (digits === undefined) return 6
  const problem = 'error while parsing precision: '
  if (verb === '') throw unparsed(`${problem}could not find end of precision specifier`)
  if (digits !== '') return Number(digits)
  throw unparsed(
    `${problem}error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`,
  )
}

/** What a clause can show, and what is said about everything else. */
export const CLAUSES: Readonly<Record<string, { takes: string; says: string }>> = {
  s: {
    takes: 'list map int uint double bool string timestamp bytes duration type null',
    says: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { takes: 'int uint', says: 'decimal clause can only be used on integers' },
  f: { takes: 'double string', says: 'fixed-point clause can only be used on doubles' },
  e: { takes: 'double string', says: 'scientific clause can only be used on doubles' },
  b: { takes: 'int uint bool', says: 'only integers and bools can be formatted as binary' },
  x: {
    takes: 'int uint string bytes',
    says: 'only integers, byte buffers, and strings can be formatted as hex',
  },
  o: { takes: 'int uint', says: 'octal clause can only be used on integers' },
}

export const clauseProblem = (verb: string, typeName: string): string =>
  `error during formatting: ${CLAUSES[verb.toLowerCase()]?.says ?? ''}, was given ${typeName}`

/** What `format()` makes of a text and values for its clauses. */
export function formatText(format: string, args: ListValue): string {
  return fillClauses(format, args.size, ({ verb, precision }, index) => {
    const value = args.at(index)
    const text = clauseText(verb, value, precision)
    if (text === undefined) throw new EvaluationError(clauseProblem(verb, typeNameOf(value)))
    return text
  })
}

function clauseText(verb: string, value: Value, precision: number): string | undefined {
  switch (verb) {
    case 's':
      return textOf(value)
    case 'f':
      return doubleText(value, (number) => fixed(number, precision))
    case 'e':
      return doubleText(value, scientific)
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0'
      return wholeText(value, 2)
    case 'x':
      return hex(value)
    case 'X':
      return hex(value)?.toUpperCase()
    case 'o':
      return wholeText(value, 8)
    default:
      return wholeText(value, 10)
  }
}

function wholeText(value: Value, radix: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(radix)
  return value instanceof Uint ? value.value.toString(radix) : undefined
}

const SPECIAL: ReadonlyMap<Value, string> = new Map<Value, string>([
  [Number.NaN, 'NaN'],
  ['NaN', 'NaN'],
  [Number.POSITIVE_INFINITY, '∞'],
  ['Infinity', '∞'],
  [Number.NEGATIVE_INFINITY, '-∞'],
  ['-Infinity', '-∞'],
])

function doubleText(value: Value, show: (number: number) => string): string | undefined {
  return SPECIAL.get(value) ?? (typeof value === 'number' ? show(value) : undefined)
}

function fixed(value: number, precision: number): string {
  const [whole = '', part] = roundedToEven(value, precision).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return part === undefined ? grouped : `${grouped}.${part}`
}

/** As toFixed, but of two numbers that are equally near the even one. */
function roundedToEven(value: number, precision: number): string {
  const digits = Math.min(precision, 100)
  const text = value.toFixed(digits)
  // Exactly between two only if it is an odd number of halves of the smallest binary step.
  const isTie = digits < 16 && Math.abs((value * 2 ** (digits + 1)) % 2) === 1
  const isOdd = Number(text.at(-1)) % 2 === 1
  return isTie && isOdd ? (Number(text) - Math.sign(value) * 10 ** -digits).toFixed(digits) : text
}

/** Always with six digits, whatever the clause says: as Kubernetes' library has it. */
function scientific(value: number): string {
  const [digits = '', power = ''] = value.toExponential(6).split('e')
  const size = power.replace(/^[+-]/, '').padStart(2, '0')
  const shown = `${power.startsWith('-') ? '-' : ''}${size}`
  return `${digits}×10${[...shown].map((one) => SUPERSCRIPT.get(one) ?? one).join('')}`
}

const SUPERSCRIPT: ReadonlyMap<string, string> = new Map(
  [...'0123456789-'].map((one, i) => [one, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁻'][i] ?? one]),
)

function hex(value: Value): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex')
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return wholeText(value, 16)
}

function textOf(value: Value): string {
  if (value === null) return 'null'
  if (value instanceof ListValue) return listText(value)
  return value instanceof MapValue ? mapText(value) : toText(value)
}

/** Inside of a list or map, where texts are quoted. */
function innerText(value: Value): string {
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Uint8Array) return `b${quoted(toText(value))}`
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value.toFixed(6) : quoted(textOf(value))
  }
  if (value instanceof Timestamp) return `timestamp(${quoted(momentText(value))})`
  if (value instanceof Duration) return `duration(${quoted(secondsText(value))})`
  return textOf(value)
}

const listText = (value: ListValue): string => `[${[...value].map(innerText).join(', ')}]`

function keyText(key: Value): string {
  if (typeof key === 'number') {
    throw new EvaluationError('no formatting function for map key of type double')
  }
  return innerText(key)
}

function mapText(value: MapValue): string {
  const pairs = value.keys().map((key) => [keyText(key), innerText(value.get(key) ?? null)])
  const sorted = pairs.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, held]) => `${key}:${held}`).join(', ')}}`
}
