import { durationOf, isMoment, momentText, secondsText, timestampOf } from '#apiserver/cel/times.ts'
import {
  Duration,
  EvaluationError,
  Extension,
  noSuchOverload,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from '#apiserver/cel/values.ts'
import { MAX_INT, MAX_UINT, MIN_INT } from '#base/cel/literals.ts'
import { type CelFunction, given } from './argument.ts'

const notA = (type: string): EvaluationError =>
  new EvaluationError(`type conversion error from 'string' to '${type}'`)

function toInt([value]: readonly Value[]): Value {
  switch (typeof value) {
    case 'bigint':
      return value
    case 'number':
      if (!(value > -(2 ** 63) && value < 2 ** 63)) {
        throw new EvaluationError('integer overflow')
      }
      return BigInt(Math.trunc(value))
    case 'string':
      return intFromText(value)
    default:
  }
  if (value instanceof Uint) {
    if (value.value > MAX_INT) throw new EvaluationError('integer overflow')
    return value.value
  }
  if (value instanceof Timestamp) return value.seconds
  if (value instanceof Duration) return value.nanos
  throw noSuchOverload()
}

function intFromText(text: string): bigint {
  if (!/^[+-]?\d+$/.test(text)) throw notA('int')
  const value = BigInt(text.replace('+', ''))
  if (value < MIN_INT || value > MAX_INT) throw notA('int')
  return value
}

function toUint([value]: readonly Value[]): Value {
  if (value instanceof Uint) return value
  if (typeof value === 'bigint') {
    if (value < 0n) throw new EvaluationError('unsigned integer overflow')
    return new Uint(value)
  }
  if (typeof value === 'number') {
    if (!(value >= 0 && value < 2 ** 64)) {
      throw new EvaluationError('unsigned integer overflow')
    }
    return new Uint(BigInt(Math.trunc(value)))
  }
  if (typeof value !== 'string') throw noSuchOverload()
  if (!/^\d+$/.test(value) || BigInt(value) > MAX_UINT) throw notA('uint')
  return new Uint(BigInt(value))
}

const SPECIAL_DOUBLES: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
])

function toDouble([value]: readonly Value[]): Value {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint) return Number(value.value)
  if (typeof value !== 'string') throw noSuchOverload()
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value)) {
    if (Number.isFinite(Number(value))) return Number(value)
    throw notA('double')
  }
  const special = SPECIAL_DOUBLES.get(value.toLowerCase().replace(/^[+-]/, ''))
  if (special === undefined) throw notA('double')
  return value.startsWith('-') ? -special : special
}

/** A number as Go writes it: the shortest form, with an exponent for large and small ones. */
function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const exponent = value === 0 ? 0 : Number(value.toExponential().split('e')[1])
  if (exponent >= -4 && exponent < 6) return String(value)
  const [digits = '', power = ''] = value.toExponential().split('e')
  const sign = power.startsWith('-') ? '-' : '+'
  return `${digits}e${sign}${power.replace(/^[+-]/, '').padStart(2, '0')}`
}

/** What `string()` gives; also what a format shows. */
export function toText(value: Value | undefined): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      return doubleText(value)
    default:
      return objectText(value)
  }
}

function objectText(value: Value | undefined): string {
  if (value instanceof Uint) return String(value.value)
  if (value instanceof Uint8Array) return bytesText(value)
  if (value instanceof Duration) return secondsText(value)
  if (value instanceof Timestamp) return momentText(value)
  if (value instanceof TypeValue) return value.name
  if (value instanceof Extension) return String(value)
  throw noSuchOverload()
}

function bytesText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new EvaluationError('invalid UTF-8 in bytes, cannot convert to string')
  }
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((one): [string, boolean] => [one, true]),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((one): [string, boolean] => [one, false]),
])

function toBool([value]: readonly Value[]): Value {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') throw noSuchOverload()
  const truth = TRUTHS.get(value)
  if (truth === undefined) throw notA('bool')
  return truth
}

function momentOfSeconds(seconds: bigint): Timestamp {
  if (!isMoment(seconds)) throw new EvaluationError('timestamp overflow')
  return new Timestamp(seconds * 1_000_000_000n)
}

function toTimestamp([value]: readonly Value[]): Value {
  if (value instanceof Timestamp) return value
  if (typeof value === 'bigint') return momentOfSeconds(value)
  if (typeof value !== 'string') throw noSuchOverload()
  const moment = timestampOf(value)
  if (moment !== undefined) return moment
  throw notA('google.protobuf.Timestamp')
}

function toDuration([value]: readonly Value[]): Value {
  if (value instanceof Duration) return value
  if (typeof value === 'bigint') return new Duration(value)
  if (typeof value !== 'string') throw noSuchOverload()
  const length = durationOf(value)
  if (length !== undefined) return length
  throw notA('google.protobuf.Duration')
}

function toBytes([value]: readonly Value[]): Value {
  if (value instanceof Uint8Array) return value
  if (typeof value !== 'string') throw noSuchOverload()
  return Buffer.from(value)
}

export const CONVERSION: Readonly<Record<string, CelFunction>> = {
  int: toInt,
  uint: toUint,
  double: toDouble,
  string: ([value]) => toText(value),
  bool: toBool,
  bytes: toBytes,
  timestamp: toTimestamp,
  duration: toDuration,
  dyn: ([value]) => given(value),
  type: ([value]) => new TypeValue(typeNameOf(given(value))),
}
