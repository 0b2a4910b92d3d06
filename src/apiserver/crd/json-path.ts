import { isFields } from '#apiserver/objects.ts'
import { type PathFilter, type PathStep, parseJsonPath } from './json-path-parser.ts'
import { same } from './same.ts'

/** What a path finds in a value, in order. Throws where the path does not fit the value. */
export type JsonPath = (value: unknown) => unknown[]

/** A path as printer columns have it: `.status.conditions[?(@.type=="Ready")].status`. Throws if it is none. */
export function jsonPath(text: string): JsonPath {
  const steps = parseJsonPath(text)
  return (value) => follow(steps, [value])
}

const follow = (steps: readonly PathStep[], values: readonly unknown[]): unknown[] =>
  steps.reduce<unknown[]>((found, step) => take(step, found), [...values])

function take(step: PathStep, values: readonly unknown[]): unknown[] {
  switch (step.type) {
    case 'field':
      return values.flatMap((one) =>
        isFields(one) && Object.hasOwn(one, step.name) ? [one[step.name]] : [],
      )
    case 'wildcard':
      return values.flatMap(childrenOf)
    case 'recursive':
      return values.flatMap(descendants)
    case 'slice':
      return values.flatMap((one) => sliced(one, step))
    case 'union':
      return step.paths.flatMap((path) => follow(path, values))
    case 'filter':
      return values.flatMap((one) => filtered(one, step))
    case 'value':
      return values.map(() => step.value)
  }
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return isFields(value) ? Object.values(value) : []
}

function descendants(value: unknown): unknown[] {
  const children = childrenOf(value)
  return children.length === 0 ? [] : [value, ...children.flatMap(descendants)]
}

type Slice = Extract<PathStep, { type: 'slice' }>

function sliced(value: unknown, { start, end, step }: Slice): unknown[] {
  if (value === null) return []
  if (!Array.isArray(value)) throw new Error('not a list')
  const from = start < 0 ? start + value.length : start
  const to = endOf(end, from, value.length)
  if (from === to) return []
  if (from < 0 || from >= value.length || to > value.length || to < from || step < 1) {
    throw new Error('out of bounds')
  }
  return value.slice(from, to).filter((_, index) => index % step === 0)
}

function endOf(end: number | 'next' | undefined, from: number, length: number): number {
  if (end === undefined) return length
  if (end === 'next') return from + 1
  return end < 0 ? end + length : end
}

function filtered(value: unknown, filter: PathFilter): unknown[] {
  if (!Array.isArray(value)) throw new Error('not a list')
  return value.filter((item) => passes(item, filter))
}

function passes(item: unknown, { left, operator, right }: PathFilter): boolean {
  const lefts = follow(left, [item])
  if (operator === 'exists') return lefts.length > 0
  const rights = follow(right, [item])
  if (lefts.length === 0 || rights.length === 0) return false
  if (lefts.length > 1 || rights.length > 1) throw new Error('more than one to compare')
  return compare(lefts[0], operator, rights[0])
}

function compare(a: unknown, operator: string, b: unknown): boolean {
  if (typeof a !== typeof b) throw new Error('incompatible types for comparison')
  if (operator === '==') return same(a, b)
  if (operator === '!=') return !same(a, b)
  const order = orderOf(a, b)
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  if (operator === '>') return order > 0
  if (operator === '>=') return order >= 0
  throw new Error(`unrecognized filter operator ${operator}`)
}

function orderOf(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a !== 'string' || typeof b !== 'string') throw new Error('invalid type for comparison')
  if (a === b) return 0
  return a < b ? -1 : 1
}
