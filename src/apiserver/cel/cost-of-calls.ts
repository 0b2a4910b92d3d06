import type { Expr } from '#base/cel/ast.ts'
import { extensionEstimate } from './cost-of-extensions.ts'
import {
  ONE,
  plus,
  type Range,
  REGEX,
  regexText,
  scaled,
  sumOf,
  TRAVERSAL,
  times,
  UNKNOWN,
  union,
} from './cost-range.ts'
import type { CallEstimate, CostedCall, EntrySize, Operand } from './costed-call.ts'

/** What estimates of calls tell about the sizes of items. */
interface EntrySizes {
  entrySize(expr: Expr): EntrySize | undefined
  setEntrySize(expr: Expr, size: EntrySize | undefined): void
}

/** What a call costs, its arguments included but not its target. */
export function callEstimate(call: CostedCall, sizes: EntrySizes): CallEstimate {
  const sum = sumOf(call.argCosts)
  const extension = extensionEstimate(call)
  if (extension !== undefined) return { ...extension, cost: plus(extension.cost, sum) }
  const standard = STANDARD[call.overload]?.(call, sizes)
  if (standard !== undefined) return { ...standard, cost: plus(standard.cost, sum) }
  if (ORDERED.has(call.overload)) return { cost: plus(comparison(call), sum) }
  return LOGICAL[call.overload]?.(call, sizes) ?? { cost: plus(ONE, sum) }
}

const size = (operand: Operand | undefined): Range => operand?.size ?? UNKNOWN

type Estimate = (call: CostedCall, sizes: EntrySizes) => CallEstimate | undefined

const STANDARD: Readonly<Record<string, Estimate>> = {
  string_format: ({ target }) => ({ cost: scaled(size(target), TRAVERSAL) }),
  string_to_bytes: ({ args: [arg] }) => {
    const { min, max } = size(arg)
    return { cost: scaled(size(arg), TRAVERSAL), result: { min, max: max * 4 } }
  },
  bytes_to_string: ({ args: [arg] }) => {
    const { min, max } = size(arg)
    return { cost: scaled(size(arg), TRAVERSAL), result: { min: Math.floor(min / 4), max } }
  },
  strings_quote: ({ args: [arg] }) => {
    const { min, max } = size(arg)
    return { cost: scaled(size(arg), TRAVERSAL), result: { min: min + 2, max: max * 2 + 2 } }
  },
  starts_with_string: ({ args: [arg] }) => ({ cost: scaled(size(arg), TRAVERSAL) }),
  ends_with_string: ({ args: [arg] }) => ({ cost: scaled(size(arg), TRAVERSAL) }),
  in_list: ({ args: [, list] }) => ({ cost: size(list) }),
  matches_string: ({ target, args: [pattern] }) =>
    target && { cost: times(regexText(target.size), scaled(size(pattern), REGEX)) },
  contains_string: ({ target, args: [part] }) => ({
    cost: times(scaled(size(target), TRAVERSAL), scaled(size(part), TRAVERSAL)),
  }),
  add_string: concatenation,
  add_bytes: concatenation,
  add_list: concatenation,
}

function concatenation({ expr, overload, args: [a, b] }: CostedCall, sizes: EntrySizes) {
  const result = plus(size(a), size(b))
  sizes.setEntrySize(expr, entriesOfBoth(a, b, sizes))
  return { cost: overload === 'add_list' ? ONE : scaled(result, TRAVERSAL), result }
}

function entriesOfBoth(
  a: Operand | undefined,
  b: Operand | undefined,
  sizes: EntrySizes,
): EntrySize | undefined {
  const one = a?.expr && sizes.entrySize(a.expr)
  const other = b?.expr && sizes.entrySize(b.expr)
  if (one === undefined || other === undefined) return undefined
  return { of: one.of, key: union(one.key, other.key), value: union(one.value, other.value) }
}

const ORDERED = new Set([
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((one) => [
    `${one}_string`,
    `${one}_bytes`,
  ]),
  'equals',
  'not_equals',
])

function comparison({ args: [a, b] }: CostedCall): Range {
  const max = Math.min(size(a).max, size(b).max)
  return scaled({ min: max > 0 ? 1 : 0, max }, TRAVERSAL)
}

const short: Estimate = ({ argCosts }) => ({
  cost: { min: argCosts[0]?.min ?? 0, max: sumOf(argCosts).max },
})

const LOGICAL: Readonly<Record<string, Estimate>> = {
  logical_and: short,
  logical_or: short,
  conditional: ({ expr, args: [, yes, no], argCosts: [test = ONE, ...ways] }, sizes) => {
    sizes.setEntrySize(expr, entriesOfBoth(yes, no, sizes))
    const [first = ONE, second = ONE] = ways
    return { cost: plus(test, union(first, second)), result: union(size(yes), size(no)) }
  },
}
