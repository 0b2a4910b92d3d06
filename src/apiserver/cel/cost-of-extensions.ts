import {
  exactly,
  MOST,
  ONE,
  plus,
  type Range,
  REGEX,
  regexText,
  scaled,
  TRAVERSAL,
  times,
  UNKNOWN,
} from './cost-range.ts'
import type { CallEstimate, CostedCall, Operand } from './costed-call.ts'

/** What a call of an extension costs, arguments not counted; undefined for what CEL itself has. */
export function extensionEstimate(call: CostedCall): CallEstimate | undefined {
  if (NOMINAL.has(call.name)) return { cost: ONE }
  if (call.overload.endsWith('_sort')) return sorted(call.target)
  if (call.overload.endsWith('_sortByAssociatedKeys')) return sorted(call.args[0])
  return (BY_OVERLOAD[call.overload] ?? BY_NAME[call.name])?.(call)
}

const NOMINAL = new Set(
  [
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast',
    'isGlobalUnicast format.named sign asInteger isInteger asApproximateFloat isGreaterThan',
    'isLessThan compareTo add sub major minor patch getScheme getHostname getHost getPort',
    'getEscapedPath getQuery',
  ].flatMap((names) => names.split(' ')),
)

type Estimate = (call: CostedCall) => CallEstimate | undefined

const size = (operand: Operand | undefined): Range => operand?.size ?? UNKNOWN

const read = (operand: Operand | undefined, factor = 1): CallEstimate => ({
  cost: scaled(size(operand), TRAVERSAL * factor),
})

const parsing: Estimate = ({ args: [text] }) => read(text)
const sameText: Estimate = ({ target }) => ({ ...read(target), result: size(target) })

const overItems: Estimate = ({ target }) => {
  if (target === undefined) return undefined
  const kind = target.type.parameters[0]?.kind
  if (kind === undefined) return read(target)
  const isText = kind === 'string' || kind === 'bytes'
  const each = isText ? plus(ONE, scaled(target.items ?? UNKNOWN, TRAVERSAL)) : ONE
  return { cost: times(target.size, each) }
}

const search: Estimate = ({ target, args: [pattern] }) => ({
  cost: times(regexText(size(target)), scaled(size(pattern), REGEX)),
  result: { min: 0, max: size(target).max },
})

const ADDRESS: Range = { min: 4, max: 16 }
const COMPARED = scaled(plus(ADDRESS, ADDRESS), TRAVERSAL)

const BY_NAME: Readonly<Record<string, Estimate>> = {
  isSorted: overItems,
  sum: overItems,
  max: overItems,
  min: overItems,
  indexOf: overItems,
  lastIndexOf: overItems,
  url: ({ args: [text] }) => ({ ...read(text), result: size(text) }),
  lowerAscii: sameText,
  upperAscii: sameText,
  substring: sameText,
  trim: sameText,
  replace: ({ target, args }) => ({ ...read(target, 2), result: replaced(target, args) }),
  split: ({ target, args: [, limit] }) => {
    const max = limit === undefined ? size(target).max : intOf(limit, size(target).max)
    return { ...read(target, 2), result: { min: 0, max } }
  },
  join: ({ target, args: [separator] }) => joined(target, separator),
  find: search,
  findAll: search,
  cidr: parsing,
  isIP: parsing,
  isCIDR: parsing,
  ip: (call) => (call.overload === 'cidr_ip' ? { cost: ONE } : parsing(call)),
  'ip.isCanonical': ({ args: [text] }) => read(text, 2),
  containsIP: ({ overload, args: [text] }) => ({
    cost: overload.endsWith('_string') ? plus(COMPARED, read(text).cost) : COMPARED,
  }),
  containsCIDR: ({ overload, args: [text] }) => {
    const cost = plus(plus(COMPARED, scaled(ADDRESS, TRAVERSAL)), ONE)
    return { cost: overload.endsWith('_string') ? plus(cost, read(text).cost) : cost }
  },
  quantity: parsing,
  isQuantity: parsing,
  semver: parsing,
  isSemver: parsing,
  validate: ({ args: [text] }) => ({ cost: scaled(read(text).cost, 128 * REGEX) }),
  '_==_': ({ args: [a, b] }) =>
    a && b && a.type.name === b.type.name ? sameKind(a, b) : undefined,
}

function sameKind(a: Operand, b: Operand): CallEstimate | undefined {
  switch (a.type.name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: ONE }
    case 'kubernetes.NamedFormat':
      return { cost: scaled({ min: 1, max: 64 }, TRAVERSAL) }
    case 'kubernetes.URL':
      return { cost: scaled({ min: 1, max: Math.max(1, b.size.max) }, TRAVERSAL) }
    default:
      return undefined
  }
}

function joined(target: Operand | undefined, separator: Operand | undefined): CallEstimate {
  const count = size(target)
  let result = times(count, target?.items ?? UNKNOWN)
  if (separator !== undefined) {
    const gaps = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) }
    result = plus(result, times(size(separator), gaps))
  }
  return { cost: scaled(result, TRAVERSAL), result }
}

function replaced(target: Operand | undefined, [from, to]: readonly Operand[]): Range {
  const whole = size(target)
  const old = size(from)
  const by = size(to)
  const most = { count: 0, kept: 0 }
  if (old.min === 0) Object.assign(most, { count: whole.max + 1, kept: whole.max })
  else if (by.max <= old.min) most.kept = whole.max
  else most.count = Math.ceil(whole.max / old.min)
  const least = { count: 0, kept: 0 }
  if (old.max === 0) Object.assign(least, { count: whole.min + 1, kept: whole.min })
  else if (old.max <= by.min) least.kept = whole.min
  else least.count = Math.ceil(whole.min / old.max)
  return plus(times({ min: least.count, max: most.count }, by), { min: least.kept, max: most.kept })
}

/** The number that is written there, or what to take for it. */
function intOf({ expr }: Operand, fallback: number): number {
  if (expr?.kind !== 'literal' || typeof expr.value !== 'bigint') return fallback
  return Math.max(0, Number(expr.value))
}

const allocating = (result: Range, factor = 1): CallEstimate => ({
  cost: plus(scaled(result, factor), exactly(11)),
  result,
})

function sorted(keys: Operand | undefined): CallEstimate {
  const kind = keys?.type.parameters[0]?.kind
  const factor = kind === 'string' || kind === 'bytes' ? 2 + TRAVERSAL : 2
  return allocating(times(size(keys), size(keys)), factor)
}

const sets =
  (factor: number): Estimate =>
  ({ args: [a, b] }) => ({ cost: plus(scaled(times(size(a), size(b)), factor), ONE) })

const BY_OVERLOAD: Readonly<Record<string, Estimate>> = {
  list_slice: ({ target, args: [from, to] }) => {
    const end = to === undefined ? MOST : intOf(to, size(target).max)
    const start = from === undefined ? 0 : intOf(from, 0)
    return allocating(exactly(end < start ? MOST : end - start))
  },
  list_flatten: ({ target }) => allocating(size(target)),
  list_flatten_int: ({ target, args: [depth] }) =>
    allocating(size(target), depth === undefined ? 1 : intOf(depth, MOST)),
  lists_range: ({ args: [count] }) =>
    allocating(exactly(count === undefined ? MOST : intOf(count, MOST))),
  list_reverse: ({ target }) => allocating(size(target)),
  list_distinct: ({ target }) => allocating(times(size(target), size(target)), 2),
  list_sets_contains_list: sets(1),
  list_sets_intersects_list: sets(1),
  list_sets_equivalent_list: sets(2),
}
