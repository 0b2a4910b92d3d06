import { quote } from '#machineconfig/quote.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { parseIPv4 } from './ipv4.ts'

interface Reading {
  readonly groups: number[]
  /** Before which group the `::` stands. */
  gap?: number
  rest: string
}

const MOST_GROUPS = 8

/** The eight groups of an IPv6 address without its zone, or what Go's netip says against it. */
export function parseIPv6(text: string): readonly number[] | Refusal {
  const reading: Reading = text.startsWith('::')
    ? { groups: [], gap: 0, rest: text.slice(2) }
    : { groups: [], rest: text }
  while (
    reading.groups.length < MOST_GROUPS &&
    (reading.rest !== '' || reading.gap === undefined)
  ) {
    const problem = takeGroup(reading) ?? takeColon(reading)
    if (problem) return problem
    if (reading.rest === '') break
  }
  return reading.rest === '' ? filled(reading) : at('trailing garbage after address', reading)
}

const at = (why: string, { rest }: Reading): Refusal => new Refusal(`${why} (at ${quote(rest)})`)

function takeGroup(reading: Reading): Refusal | undefined {
  const [digits = ''] = /^[0-9a-fA-F]*/.exec(reading.rest) ?? []
  if (digits.length > 4) return at('each group must have 4 or less digits', reading)
  if (digits === '') return at('each colon-separated field must have at least one digit', reading)
  if (reading.rest[digits.length] === '.') return takeQuad(reading)
  reading.groups.push(Number.parseInt(digits, 16))
  reading.rest = reading.rest.slice(digits.length)
  return
}

function takeQuad(reading: Reading): Refusal | undefined {
  const { groups, gap } = reading
  if (gap === undefined && groups.length !== 6) {
    return at('embedded IPv4 address must replace the final 2 fields of the address', reading)
  }
  if (groups.length > 6) {
    return at('too many hex fields to fit an embedded IPv4 at the end of the address', reading)
  }
  const quad = parseIPv4(reading.rest)
  if (quad instanceof Refusal) return quad
  const [a = 0, b = 0, c = 0, d = 0] = quad
  groups.push(a * 256 + b, c * 256 + d)
  reading.rest = ''
  return
}

function takeColon(reading: Reading): Refusal | undefined {
  const { rest } = reading
  if (rest === '') return
  if (!rest.startsWith(':')) return at('unexpected character, want colon', reading)
  if (rest === ':') return at('colon must be followed by more characters', reading)
  reading.rest = rest.slice(1)
  if (!reading.rest.startsWith(':')) return
  if (reading.gap !== undefined) return at('multiple :: in address', reading)
  reading.gap = reading.groups.length
  reading.rest = reading.rest.slice(1)
  return
}

function filled({ groups, gap }: Reading): readonly number[] | Refusal {
  const missing = MOST_GROUPS - groups.length
  if (gap === undefined) return missing > 0 ? new Refusal('address string too short') : groups
  if (missing === 0) return new Refusal('the :: must expand to at least one field of zeros')
  const zeros = Array.from({ length: missing }, () => 0)
  return [...groups.slice(0, gap), ...zeros, ...groups.slice(gap)]
}

/** As RFC 5952 has it: the longest run of zeros is left out. */
export function formatIPv6(groups: readonly number[]): string {
  if (isMapped(groups)) return `::ffff:${quadOf(groups)}`
  const words = groups.map((group) => group.toString(16))
  const { start, length } = longestZeros(groups)
  if (length < 2) return words.join(':')
  return `${words.slice(0, start).join(':')}::${words.slice(start + length).join(':')}`
}

const isMapped = (groups: readonly number[]): boolean =>
  groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)

const quadOf = (groups: readonly number[]): string =>
  groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < groups.length; start++) {
    let end = start
    while (groups[end] === 0) end++
    if (end - start > best.length) best = { start, length: end - start }
  }
  return best
}
