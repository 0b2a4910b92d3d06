import { JsonList } from '#apiserver/cel/json-values.ts'
import {
  Duration,
  EvaluationError,
  ListValue,
  noSuchOverload,
  PlainList,
  Timestamp,
  Uint,
  type Value,
} from '#apiserver/cel/values.ts'
import { work } from '#apiserver/cel/work.ts'
import { MAX_INT, MAX_UINT, MIN_INT } from '#base/cel/literals.ts'
import type { CelFunction } from './argument.ts'

function intResult(value: bigint): bigint {
  if (value < MIN_INT || value > MAX_INT) throw new EvaluationError('integer overflow')
  return value
}

function uintResult(value: bigint): Uint {
  if (value < 0n || value > MAX_UINT) throw new EvaluationError('unsigned integer overflow')
  return new Uint(value)
}

function durationResult(nanos: bigint): Duration {
  if (nanos < MIN_INT || nanos > MAX_INT) throw new EvaluationError('duration overflow')
  return new Duration(nanos)
}

const FIRST_MOMENT = -62_135_596_800_000_000_000n
const LAST_MOMENT = 253_402_300_799_999_999_999n

function timestampResult(nanos: bigint, offset: number): Timestamp {
  if (nanos < FIRST_MOMENT || nanos > LAST_MOMENT) throw new EvaluationError('timestamp overflow')
  return new Timestamp(nanos, offset)
}

/** The sum of two values, or both one after the other. */
export function add(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return intResult(a + b)
  if (typeof a === 'number' && typeof b === 'number') return a + b
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (a instanceof ListValue && b instanceof ListValue) return concatenated(a, b)
  if (a instanceof Uint && b instanceof Uint) return uintResult(a.value + b.value)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.concat([a, b])
  return addTimes(a, b)
}

function concatenated(a: ListValue, b: ListValue): ListValue {
  work(a.size + b.size)
  return a instanceof JsonList ? a.plus(b) : new PlainList([...a, ...b])
}

function addTimes(a: Value, b: Value): Value {
  if (a instanceof Duration && b instanceof Duration) return durationResult(a.nanos + b.nanos)
  if (a instanceof Duration && b instanceof Timestamp) {
    return timestampResult(a.nanos + b.nanos, b.offset)
  }
  if (a instanceof Timestamp && b instanceof Duration) {
    return timestampResult(a.nanos + b.nanos, a.offset)
  }
  throw noSuchOverload()
}

function subtract(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return intResult(a - b)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (a instanceof Uint && b instanceof Uint) return uintResult(a.value - b.value)
  if (a instanceof Duration && b instanceof Duration) return durationResult(a.nanos - b.nanos)
  if (a instanceof Timestamp && b instanceof Timestamp) return durationResult(a.nanos - b.nanos)
  if (a instanceof Timestamp && b instanceof Duration) {
    return timestampResult(a.nanos - b.nanos, a.offset)
  }
  throw noSuchOverload()
}

function multiply(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return intResult(a * b)
  if (typeof a === 'number' && typeof b === 'number') return a * b
  if (a instanceof Uint && b instanceof Uint) return uintResult(a.value * b.value)
  throw noSuchOverload()
}

function divide(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return a / b
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    if (b === 0n) throw new EvaluationError('division by zero')
    return intResult(a / b)
  }
  if (!(a instanceof Uint && b instanceof Uint)) throw noSuchOverload()
  if (b.value === 0n) throw new EvaluationError('division by zero')
  return new Uint(a.value / b.value)
}

function modulo(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    if (b === 0n) throw new EvaluationError('modulus by zero')
    return a % b
  }
  if (!(a instanceof Uint && b instanceof Uint)) throw noSuchOverload()
  if (b.value === 0n) throw new EvaluationError('modulus by zero')
  return new Uint(a.value % b.value)
}

function negate(a: Value): Value {
  if (typeof a === 'bigint') return intResult(-a)
  if (typeof a === 'number') return -a
  throw noSuchOverload()
}

const of =
  (operation: (a: Value, b: Value) => Value): CelFunction =>
  ([a = null, b = null]) =>
    operation(a, b)

export const ARITHMETIC: Readonly<Record<string, CelFunction>> = {
  '_+_': of(add),
  '_-_': of(subtract),
  '_*_': of(multiply),
  '_/_': of(divide),
  '_%_': of(modulo),
  '-_': ([a = null]) => negate(a),
}
