const WRONG_FORMAT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const WRONG_SUFFIX = "unable to parse quantity's suffix"

/** Thrown for a text that is no quantity, in the words of Kubernetes. */
export class NotAQuantity extends Error {
  override readonly name = 'NotAQuantity'
}

/**
 * A quantity as Kubernetes writes it when it has read it: `1000m` becomes `1`, `1024Ki` becomes `1Mi`. A text that
 * is close enough to that form stays as it is, as it does there. Throws `NotAQuantity`.
 */
export function canonicalQuantity(text: string): string {
  const trimmed = text.trim()
  if (PLAIN.test(trimmed)) return trimmed
  const parsed = parseQuantity(trimmed)
  return isKeptAsWritten(parsed) ? trimmed : written(roundedAmount(parsed))
}

// What nearly all quantities look like: such texts are in their canonical form.
const PLAIN =
  /^(?:0|[1-9]\d{0,2}(?:m|k|M|G)?|[1-9]\d{0,2}[13579](?:Mi|Gi)|[1-9]\d?(?:Ki|Mi|Gi|Ti))$/

const FORM = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/
const SUFFIXES: Readonly<Record<string, readonly [base: 2 | 10, exponent: number]>> = {
  n: [10, -9],
  u: [10, -6],
  m: [10, -3],
  '': [10, 0],
  k: [10, 3],
  M: [10, 6],
  G: [10, 9],
  T: [10, 12],
  P: [10, 15],
  E: [10, 18],
  Ki: [2, 10],
  Mi: [2, 20],
  Gi: [2, 30],
  Ti: [2, 40],
  Pi: [2, 50],
  Ei: [2, 60],
}
// Beyond these, exact numbers take time that one request must not have.
const LONGEST = 300
const GREATEST_EXPONENT = 1000
const MOST = 2n ** 63n - 1n
const DIGITS_OF_INT64 = 18

/** A quantity as it is written. */
export interface ParsedQuantity {
  isNegative: boolean
  /** Without zeros before it; `0` if nothing is left. */
  whole: string
  fraction: string
  base: 2 | 10
  exponent: number
  style: 'binary' | 'decimal' | 'exponent'
}

/** Throws `NotAQuantity`. */
export function parseQuantity(text: string): ParsedQuantity {
  if (text === '' || text.length > LONGEST) throw new NotAQuantity(WRONG_FORMAT)
  const [, sign = '', digits = '', fraction = '', suffix = ''] = FORM.exec(text) ?? []
  if (!FORM.test(text)) throw new NotAQuantity(WRONG_FORMAT)
  const whole = digits.replace(/^0+/, '') || '0'
  const scale = scaleOf(suffix)
  if (!scale) throw new NotAQuantity(WRONG_SUFFIX)
  return { isNegative: sign === '-', whole, fraction, ...scale }
}

function scaleOf(suffix: string): Pick<ParsedQuantity, 'base' | 'exponent' | 'style'> | undefined {
  const known = SUFFIXES[suffix]
  if (known) {
    const [base, exponent] = known
    return { base, exponent, style: base === 2 ? 'binary' : 'decimal' }
  }
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1]
  if (exponent === undefined || Math.abs(Number(exponent)) > GREATEST_EXPONENT) return undefined
  return { base: 10, exponent: Number(exponent), style: 'exponent' }
}

/** Kubernetes keeps the user's text where its quick look finds nothing to shorten. */
function isKeptAsWritten({ whole, fraction, base, exponent }: ParsedQuantity): boolean {
  const digits = whole + fraction
  if (base === 2) {
    const room = 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1
    const fits = BigInt(whole) << BigInt(exponent) <= MOST
    return room >= 0 && fraction === '' && fits && (BigInt(whole) & 7n) !== 0n
  }
  const scale = exponent - fraction.length
  const isShort = digits.length <= DIGITS_OF_INT64 && scale >= -9
  return isShort && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0')
}

interface Amount {
  isNegative: boolean
  /** In units of a billionth. */
  nanos: bigint
  style: ParsedQuantity['style']
}

const BILLION = 10n ** 9n

/** Rounded up to billionths: whoever asks for a little gets some. */
function roundedAmount({
  isNegative,
  whole,
  fraction,
  base,
  exponent,
  style,
}: ParsedQuantity): Amount {
  const unscaled = BigInt(whole + fraction) * (base === 2 ? 1n << BigInt(exponent) : 1n)
  const scale = 9 - fraction.length + (base === 10 ? exponent : 0)
  const nanos = scale >= 0 ? unscaled * 10n ** BigInt(scale) : dividedUp(unscaled, -scale)
  if (style !== 'binary') return { isNegative, nanos, style }
  const most = MOST * BILLION
  const capped = nanos > most ? most : nanos
  const isWhole = capped % BILLION === 0n && capped >= 1024n * BILLION
  return { isNegative, nanos: capped, style: isWhole ? 'binary' : 'decimal' }
}

const dividedUp = (value: bigint, tens: number): bigint => {
  const by = 10n ** BigInt(tens)
  return (value + by - 1n) / by
}

function written({ isNegative, nanos, style }: Amount): string {
  if (nanos === 0n) return '0'
  const sign = isNegative ? '-' : ''
  if (style === 'binary') return sign + shortened(nanos / BILLION, 1024n, BINARY)
  const decimal = shortenedTo(nanos, 1000n)
  const exponent = decimal.steps * 3 - 9
  if (style === 'exponent') return `${sign}${decimal.rest}${exponent === 0 ? '' : `e${exponent}`}`
  const suffix = DECIMAL[decimal.steps] ?? `e${exponent}`
  return `${sign}${decimal.rest}${suffix}`
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']

function shortened(value: bigint, by: bigint, suffixes: readonly string[]): string {
  const { rest, steps } = shortenedTo(value, by)
  return `${rest}${suffixes[steps] ?? ''}`
}

function shortenedTo(value: bigint, by: bigint): { rest: bigint; steps: number } {
  let [rest, steps] = [value, 0]
  while (rest % by === 0n) {
    rest /= by
    steps++
  }
  return { rest, steps }
}
