import { parseIPv4 } from '#machineconfig/read/leaves/ipv4.ts'
import { parseIPv6 } from '#machineconfig/read/leaves/ipv6.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'

/** The addresses that a prefix such as `10.0.0.0/8` stands for. */
export interface AddressRange {
  readonly bits: 32 | 128
  readonly first: bigint
  readonly last: bigint
  /** The one that was written, which may have bits outside of the mask. */
  readonly written: bigint
}

/** Takes a prefix in normal form. Undefined if it is none. */
export function addressRange(prefix: string): AddressRange | undefined {
  const [, address = '', length = ''] = /^(.*)\/(\d{1,3})$/.exec(prefix) ?? []
  const isSix = address.includes(':')
  const parts = isSix ? parseIPv6(address) : parseIPv4(address)
  const bits = isSix ? 128 : 32
  if (parts instanceof Refusal || Number(length) > bits) return undefined
  const size = BigInt(isSix ? 16 : 8)
  const written = parts.reduce((sum, part) => (sum << size) | BigInt(part), 0n)
  const host = (1n << BigInt(bits - Number(length))) - 1n
  return { bits, first: written & ~host, last: written | host, written }
}

/** Whether nothing is set outside of its mask. */
export const isMasked = ({ written, first }: AddressRange): boolean => written === first

/** Whether two ranges have an address in common. IPv4 and IPv6 never do. */
export const isOverlapping = (one: AddressRange, other: AddressRange): boolean =>
  one.bits === other.bits && one.first <= other.last && other.first <= one.last

/** Whether any two of them have an address in common, without comparing each with each. */
export function hasOverlap(ranges: readonly AddressRange[]): boolean {
  const sorted = ranges.toSorted(
    (a, b) => a.bits - b.bits || Number(a.first > b.first) - Number(a.first < b.first),
  )
  return sorted.some((range, i) => {
    const before = sorted[i - 1]
    return before !== undefined && isOverlapping(before, range)
  })
}
