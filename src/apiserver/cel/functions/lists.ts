import { compare, equal } from '#apiserver/cel/equality.ts'
import {
  Duration,
  EvaluationError,
  ListValue,
  PlainList,
  Uint,
  type Value,
} from '#apiserver/cel/values.ts'
import { work } from '#apiserver/cel/work.ts'
import { type CelFunction, given, int, list } from './argument.ts'
import { add } from './arithmetic.ts'
import { contains } from './comparison.ts'
import { indexOfText } from './strings.ts'

function isSorted([value]: readonly Value[]): Value {
  let last: Value | undefined
  for (const item of list(value)) {
    if (last !== undefined && compare(last, item) > 0) return false
    last = item
  }
  return true
}

function sum([value]: readonly Value[]): Value {
  let total: Value | undefined
  for (const item of list(value)) total = total === undefined ? item : add(total, item)
  return total ?? 0n
}

const extreme =
  (name: 'min' | 'max', sign: 1 | -1): CelFunction =>
  ([value]) => {
    let best: Value | undefined
    for (const item of list(value)) {
      if (best === undefined || compare(best, item) * sign > 0) best = item
    }
    if (best === undefined) throw new EvaluationError(`${name} called on empty list`)
    return best
  }

function indexOf(args: readonly Value[], last: boolean): Value {
  const [container, wanted = null] = args
  if (!(container instanceof ListValue)) return indexOfText(args, last)
  const { size } = container
  for (let i = 0; i < size; i += 1) {
    const index = last ? size - 1 - i : i
    if (equal(container.at(index), wanted)) return BigInt(index)
  }
  return -1n
}

function slice([value, start, end]: readonly Value[]): Value {
  const items = list(value)
  const from = int(start)
  const to = int(end)
  const call = `cannot slice(${from}, ${to})`
  if (from < 0n || to < 0n) throw new EvaluationError(`${call}, negative indexes not supported`)
  if (from > to) {
    throw new EvaluationError(`${call}, start index must be less than or equal to end index`)
  }
  if (to > BigInt(items.size)) throw new EvaluationError(`${call}, list is length ${items.size}`)
  return new PlainList([...items].slice(Number(from), Number(to)))
}

function flatten(items: ListValue, depth: bigint): Value[] {
  if (depth < 0n) throw new EvaluationError('level must be non-negative')
  return [...items].flatMap((item) =>
    item instanceof ListValue && depth > 0n ? flatten(item, depth - 1n) : [item],
  )
}

function sortBy(items: ListValue, keys: ListValue): Value {
  if (items.size !== keys.size) {
    throw new EvaluationError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${items.size} and ${keys.size} elements respectively`,
    )
  }
  const pairs = [...keys].map((key, i) => ({ key, item: items.at(i) }))
  return new PlainList(pairs.toSorted((a, b) => compare(a.key, b.key)).map(({ item }) => item))
}

function distinct([value]: readonly Value[]): Value {
  const found: Value[] = []
  for (const item of list(value)) if (!found.some((one) => equal(item, one))) found.push(item)
  return new PlainList(found)
}

const MOST_IN_RANGE = 1_000_000n

function range([count]: readonly Value[]): Value {
  const size = int(count)
  if (size > MOST_IN_RANGE) throw new EvaluationError(`lists.range of ${size} is too large`)
  work(Number(size > 0n ? size : 0n))
  return new PlainList(Array.from({ length: Math.max(0, Number(size)) }, (_, i) => BigInt(i)))
}

const containsAll = (whole: ListValue, part: ListValue): boolean =>
  [...part].every((item) => contains(whole, item))

export const LISTS: Readonly<Record<string, CelFunction>> = {
  isSorted,
  sum,
  min: extreme('min', 1),
  max: extreme('max', -1),
  indexOf: (args) => indexOf(args, false),
  lastIndexOf: (args) => indexOf(args, true),
  slice,
  flatten: ([value, depth]) =>
    new PlainList(flatten(list(value), depth === undefined ? 1n : int(depth))),
  sort: ([value]) => sortBy(list(value), list(value)),
  '@sortByAssociatedKeys': ([value, keys]) => sortBy(list(value), list(keys)),
  reverse: ([value]) => new PlainList([...list(value)].reverse()),
  distinct,
  'lists.range': range,
  'sets.contains': ([a, b]) => containsAll(list(a), list(b)),
  'sets.equivalent': ([a, b]) => containsAll(list(a), list(b)) && containsAll(list(b), list(a)),
  'sets.intersects': ([a, b]) => {
    const other = list(b)
    return [...list(a)].some((item) => contains(other, given(item)))
  },
}

/** What the sum of no items is depends on their type, which only the checker knows. */
export const ZEROS: Readonly<Record<string, Value>> = {
  double: 0,
  uint: new Uint(0n),
  duration: new Duration(0n),
}
