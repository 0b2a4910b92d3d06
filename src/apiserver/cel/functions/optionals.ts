import {
  EvaluationError,
  ListValue,
  MapValue,
  NONE,
  OptionalValue,
  PlainList,
  sizeOf,
  type Value,
} from '#apiserver/cel/values.ts'
import { type CelFunction, given, list, optional } from './argument.ts'

/** Whether a value is what its type has when nothing was said: empty, 0, false, null. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === 0n) return true
  const isSized =
    typeof value === 'string' ||
    value instanceof Uint8Array ||
    value instanceof ListValue ||
    value instanceof MapValue
  return isSized && sizeOf(value) === 0
}

function unwrapped([value]: readonly Value[]): Value {
  const held: Value[] = []
  for (const item of list(value)) {
    const { value: inner } = optional(item)
    if (inner !== undefined) held.push(inner)
  }
  return new PlainList(held)
}

const end =
  (index: (size: number) => number): CelFunction =>
  ([value]) => {
    const items = list(value)
    return items.size === 0 ? NONE : new OptionalValue(items.at(index(items.size)))
  }

export const OPTIONALS: Readonly<Record<string, CelFunction>> = {
  'optional.of': ([value]) => new OptionalValue(given(value)),
  'optional.none': () => NONE,
  'optional.ofNonZeroValue': ([value = null]) => (isZero(value) ? NONE : new OptionalValue(value)),
  'optional.unwrap': unwrapped,
  unwrapOpt: unwrapped,
  hasValue: ([value]) => optional(value).value !== undefined,
  value: ([value]) => {
    const { value: held } = optional(value)
    if (held === undefined) throw new EvaluationError('optional.none() dereference')
    return held
  },
  first: end(() => 0),
  last: end((size) => size - 1),
}
