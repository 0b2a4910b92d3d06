import { quote } from '#machineconfig/quote.ts'
import { type Section, textAt, textsAt } from '#machineconfig/validate/checks/fields.ts'
import {
  type AddressRange,
  addressRange,
  hasOverlap,
  isMasked,
  isOverlapping,
} from '#machineconfig/validate/checks/prefix.ts'

// From this many on, it is only said that some overlap: which ones would take a comparison of each with each.
const MOST_COMPARED = 256

interface Prefix {
  readonly text: string
  readonly range: AddressRange | undefined
}

interface Selector {
  readonly text: string
  readonly range: AddressRange
  readonly route: number
}

/** What is wrong with the routes that a BGP instance takes from others. */
export function* importErrors(instance: string, routes: readonly Section[]): Iterable<string> {
  const prefixes = routes.map((route) => textsAt(route, 'prefixes').map(prefixOf))
  const ranges = prefixes.flat().flatMap(({ range }) => range ?? [])
  const isHuge = ranges.length > MOST_COMPARED
  if (isHuge && hasOverlap(ranges)) yield 'importRoutes: prefixes overlap'
  const sources = new Set<string>()
  const selectors: Selector[] = []
  for (const [i, route] of routes.entries()) {
    const source = textAt(route, 'bgpInstance')
    const place = `importRoutes[${i}]`
    const own = prefixes[i] ?? []
    yield* sourceErrors(place, source, instance)
    yield* prefixErrors(place, own, isHuge)
    if (sources.has(source)) yield `${place}: duplicate source BGP instance ${quote(source)}`
    if (source !== '') sources.add(source)
    if (!isHuge) yield* overlapErrors(i, own, selectors)
  }
}

const prefixOf = (text: string): Prefix => ({ text, range: addressRange(text) })

function* sourceErrors(place: string, source: string, instance: string): Iterable<string> {
  if (source === '') yield `${place}: bgpInstance must be specified`
  else if (source === instance) {
    yield `${place}: cannot import from the same BGP instance ${quote(instance)}`
  }
}

function* prefixErrors(
  place: string,
  prefixes: readonly Prefix[],
  isHuge: boolean,
): Iterable<string> {
  if (prefixes.length === 0) yield `${place}: at least one prefix must be specified`
  for (const [i, { text, range }] of prefixes.entries()) {
    const before = prefixes.slice(0, isHuge ? 0 : i)
    const problems = range ? rangeProblems(text, range, before) : ['invalid prefix']
    for (const problem of problems) yield `${place}.prefixes[${i}]: ${problem}`
  }
}

function* rangeProblems(
  text: string,
  range: AddressRange,
  before: readonly Prefix[],
): Iterable<string> {
  if (!isMasked(range)) yield `prefix ${text} must be masked`
  for (const [i, other] of before.entries()) {
    if (other.range && isOverlapping(other.range, range)) {
      yield `prefix ${text} overlaps prefixes[${i}] ${other.text}`
    }
  }
}

/** Those that another route has as well. Adds the prefixes to the selectors. */
function* overlapErrors(
  route: number,
  prefixes: readonly Prefix[],
  selectors: Selector[],
): Iterable<string> {
  for (const { text, range } of prefixes) {
    if (range === undefined || !isMasked(range)) continue
    for (const other of selectors) {
      if (other.route !== route && isOverlapping(other.range, range)) {
        yield `importRoutes[${route}]: prefix ${text} overlaps importRoutes[${other.route}] prefix ${other.text}`
      }
    }
    selectors.push({ text, range, route })
  }
}
