import { isDeepStrictEqual } from 'node:util'
import { JsonList, JsonMap } from './json-values.ts'
import {
  Duration,
  Extension,
  ListValue,
  MapValue,
  noSuchOverload,
  OptionalValue,
  Preserved,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts'
import { work } from './work.ts'

/** Whether two values are the same; values of types that cannot be compared are not. */
export function equal(a: Value, b: Value): boolean {
  work(1)
  if (a === b) return true
  if (a === null || b === null) return false
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0
  return equalOthers(a, b)
}

function equalOthers(a: Value, b: Value): boolean {
  if (a instanceof ListValue) return b instanceof ListValue ? equalLists(a, b) : differs(a)
  if (a instanceof MapValue) return b instanceof MapValue ? equalMaps(a, b) : differs(a)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return equalObjects(a, b)
}

/** Values of an object cannot be asked whether they are of another kind, as Kubernetes has it. */
function differs(value: Value): boolean {
  if (value instanceof JsonList || value instanceof JsonMap) throw noSuchOverload()
  return false
}

type NumberValue = bigint | number | Uint

const isNumber = (value: Value): value is NumberValue =>
  typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint

function equalObjects(a: Exclude<Value, string>, b: Exclude<Value, string>): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0
  if (a instanceof Timestamp || a instanceof Duration) return compareTimes(a, b) === 0
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name
  if (a instanceof Extension) {
    return b instanceof Extension && a.typeName === b.typeName && a.equals(b)
  }
  if (a instanceof Preserved) return b instanceof Preserved && isDeepStrictEqual(a.value, b.value)
  return a instanceof OptionalValue && b instanceof OptionalValue && equalOptionals(a, b)
}

function equalOptionals({ value: a }: OptionalValue, { value: b }: OptionalValue): boolean {
  return a === undefined || b === undefined ? a === b : equal(a, b)
}

function equalLists(a: ListValue, b: ListValue): boolean {
  if (a.size !== b.size) return false
  if (a instanceof JsonList && a.isUnordered) return equalUnordered(a, b)
  for (let i = 0; i < a.size; i += 1) if (!equal(a.at(i), b.at(i))) return false
  return true
}

function equalUnordered(a: JsonList, b: ListValue): boolean {
  const byKey = a.byKey()
  for (const item of b) {
    const index = byKey.get(a.keyOf(item))
    if (index === undefined) return false
    if (a.isMap && !equal(a.at(index), item)) return false
  }
  return true
}

function equalMaps(a: MapValue, b: MapValue): boolean {
  work(8 + 6 * a.size)
  if (a.size !== b.size) return false
  if (a instanceof JsonMap && b instanceof JsonMap && !a.sameUnknown(b)) return false
  return a.keys().every((key) => {
    const one = a.get(key)
    const other = b.get(key)
    return one === undefined || other === undefined ? one === other : equal(one, other)
  })
}

function compareNumbers(a: NumberValue, b: NumberValue): number {
  const x = a instanceof Uint ? a.value : a
  const y = b instanceof Uint ? b.value : b
  if (x < y) return -1
  return x > y ? 1 : 0
}

/** Which of two comes first: negative, 0 or positive; NaN where neither does. */
export function compare(a: Value, b: Value): number {
  work(1)
  if (isNumber(a) && isNumber(b)) {
    return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : compareNumbers(a, b)
  }
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  const order = compareTimes(a, b)
  if (order === undefined) throw noSuchOverload()
  return order
}

/** Undefined for what are not two moments or two durations. */
function compareTimes(a: Value, b: Value): number | undefined {
  if (a instanceof Timestamp && b instanceof Timestamp) return compareNumbers(a.nanos, b.nanos)
  if (a instanceof Duration && b instanceof Duration) return compareNumbers(a.nanos, b.nanos)
  return undefined
}

/** By UTF-8, which differs from JavaScript's order for characters beyond the basic ones only. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return x >= 0xd800 || y >= 0xd800 ? compareBytes(a, b) : x - y
  }
  return a.length - b.length
}

const compareBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))
