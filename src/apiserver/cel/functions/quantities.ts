import { NotAQuantity, type ParsedQuantity, parseQuantity } from '#apiserver/builtin/quantity.ts'
import { EvaluationError, Extension, noSuchOverload, type Value } from '#apiserver/cel/values.ts'
import { MAX_INT, MIN_INT } from '#base/cel/literals.ts'
import { type CelFunction, text } from './argument.ts'

const NANO = 1_000_000_000n

/** An amount such as `500m` or `2Gi`, kept in thousand-millionths. */
class Quantity extends Extension {
  readonly typeName = 'kubernetes.Quantity'
  readonly nanos: bigint
  /** Whether Kubernetes keeps it as a number without fractions: only those it makes integers of. */
  readonly isPlain: boolean

  constructor(nanos: bigint, isPlain: boolean) {
    super()
    this.nanos = nanos
    this.isPlain = isPlain
  }

  equals(other: Extension): boolean {
    return other instanceof Quantity && other.nanos === this.nanos
  }
}

const MAX_PRECISION = 18

/** Throws EvaluationError for a text that is no quantity. */
function quantityOf(value: string): Quantity {
  const { isNegative, whole, fraction, base, exponent } = parsed(value)
  const digits = BigInt(whole + fraction)
  const signed = isNegative ? -digits : digits
  if (base === 2) return binaryQuantity(signed, fraction.length, exponent)
  const scale = exponent - fraction.length
  const length = (whole === '0' ? 0 : whole.length) + fraction.length
  const isPlain = length <= MAX_PRECISION && scale >= 0
  return new Quantity(scaledUp(signed, scale + 9), isPlain)
}

function parsed(value: string): ParsedQuantity {
  try {
    return parseQuantity(value)
  } catch (error) {
    if (error instanceof NotAQuantity) throw new EvaluationError(error.message)
    throw error
  }
}

function binaryQuantity(digits: bigint, places: number, exponent: number): Quantity {
  const whole = scaledUp(digits << BigInt(exponent), 9 - places)
  const capped = whole > MAX_INT * NANO ? MAX_INT * NANO : whole
  const isPlain = places === 0 && capped / NANO <= 10n ** 15n
  return new Quantity(capped, isPlain)
}

/** Times a power of ten; what is too small to be kept is rounded away from zero. */
function scaledUp(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power)
  const divisor = 10n ** BigInt(-power)
  const rest = value % divisor
  if (rest === 0n) return value / divisor
  return value / divisor + (value < 0n ? -1n : 1n)
}

const isQuantity = (value: Value | undefined): value is Quantity => value instanceof Quantity

function quantity(value: Value | undefined): Quantity {
  if (!isQuantity(value)) throw noSuchOverload()
  return value
}

function integerOf({ nanos, isPlain }: Quantity): bigint | undefined {
  const whole = nanos / NANO
  return isPlain && nanos % NANO === 0n && whole >= MIN_INT && whole <= MAX_INT ? whole : undefined
}

function combined(a: Quantity, b: Value | undefined, sign: 1n | -1n): Quantity {
  const other = typeof b === 'bigint' ? b * NANO : quantity(b).nanos
  return new Quantity(a.nanos + sign * other, a.isPlain && (!isQuantity(b) || b.isPlain))
}

/** Negative, 0 or positive: which of two quantities is less. */
export function compareQuantities(a: Value | undefined, b: Value | undefined): number {
  const difference = quantity(a).nanos - quantity(b).nanos
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

function canParse(value: string): boolean {
  try {
    quantityOf(value)
    return true
  } catch (error) {
    if (error instanceof EvaluationError) return false
    throw error
  }
}

export const isQuantityValue = isQuantity

export const QUANTITIES: Readonly<Record<string, CelFunction>> = {
  quantity: ([value]) => quantityOf(text(value)),
  isQuantity: ([value]) => canParse(text(value)),
  sign: ([value]) => BigInt(Math.sign(Number(quantity(value).nanos))),
  isInteger: ([value]) => integerOf(quantity(value)) !== undefined,
  asInteger: ([value]) => {
    const whole = integerOf(quantity(value))
    if (whole === undefined) throw new EvaluationError('cannot convert value to integer')
    return whole
  },
  asApproximateFloat: ([value]) => {
    const { nanos } = quantity(value)
    return Number(nanos / NANO) + Number(nanos % NANO) / 1e9
  },
  add: ([a, b]) => combined(quantity(a), b, 1n),
  sub: ([a, b]) => combined(quantity(a), b, -1n),
}
