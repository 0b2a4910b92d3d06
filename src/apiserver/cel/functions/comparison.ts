import { compare, equal } from '#apiserver/cel/equality.ts'
import { JsonList } from '#apiserver/cel/json-values.ts'
import {
  EvaluationError,
  ListValue,
  MapValue,
  NONE,
  noSuchOverload,
  OptionalValue,
  sizeOf,
  typeNameOf,
  type Value,
} from '#apiserver/cel/values.ts'
import { bool, type CelFunction, given } from './argument.ts'

const ordered =
  (test: (order: number) => boolean): CelFunction =>
  ([a = null, b = null]) =>
    test(compare(a, b))

/** Whether a list has an equal item, or a map such a key. */
export function contains(container: Value | undefined, value: Value): boolean {
  if (container instanceof MapValue) return container.get(value) !== undefined
  if (!(container instanceof ListValue)) throw noSuchOverload()
  for (let i = 0; i < container.size; i += 1) if (equal(container.at(i), value)) return true
  return false
}

/** The element with that index or key; undefined where there is none. */
function element(container: Value, key: Value): Value | undefined {
  if (container instanceof MapValue) return container.get(key)
  if (!(container instanceof ListValue)) return undefined
  const index = indexOf(container, key)
  return index >= 0 && index < container.size ? container.at(index) : undefined
}

function indexOf(list: ListValue, key: Value): number {
  if (typeof key === 'bigint') return Number(key)
  if (typeof key !== 'number') {
    throw new EvaluationError(`unsupported index type '${typeNameOf(key)}' in list`)
  }
  if (!Number.isInteger(key)) throw new EvaluationError(`unsupported index value ${key} in list`)
  if (list instanceof JsonList) throw new EvaluationError(`unsupported index: ${key}`)
  return key
}

function at([container = null, key = null]: readonly Value[]): Value {
  if (container instanceof OptionalValue) return optionalAt([container, key])
  const found = element(container, key)
  if (found !== undefined) return found
  throw new EvaluationError(
    container instanceof ListValue ? `index out of bounds: ${key}` : `no such key: ${key}`,
  )
}

function optionalAt([container = null, key = null]: readonly Value[]): Value {
  const inner = container instanceof OptionalValue ? container.value : container
  const found = inner === undefined ? undefined : element(inner, key)
  return found === undefined ? NONE : new OptionalValue(found)
}

function size([value]: readonly Value[]): Value {
  const sized =
    typeof value === 'string' ||
    value instanceof Uint8Array ||
    value instanceof ListValue ||
    value instanceof MapValue
  if (!sized) throw new EvaluationError('no such overload: size')
  return BigInt(sizeOf(value))
}

export const COMPARISON: Readonly<Record<string, CelFunction>> = {
  '_==_': ([a = null, b = null]) => equal(a, b),
  '_!=_': ([a = null, b = null]) => !equal(a, b),
  '_<_': ordered((order) => order < 0),
  '_<=_': ordered((order) => order <= 0),
  '_>_': ordered((order) => order > 0),
  '_>=_': ordered((order) => order >= 0),
  '!_': ([a]) => !bool(a),
  '@in': ([value, container]) => contains(container, given(value)),
  '_[_]': at,
  '_[?_]': optionalAt,
  size,
}
