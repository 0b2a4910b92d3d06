import { parseIPv4 } from '#machineconfig/read/leaves/ipv4.ts'
import { formatIPv6, parseIPv6 } from '#machineconfig/read/leaves/ipv6.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'

const LONGEST = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255'.length
const MAPPED = /^::ffff:([\d.]+)$/

/**
 * The one way to write an IP address, so that two spellings of it are the same text: IPv6 as RFC 5952 has
 * it, and an IPv4 address that is written as IPv6 as IPv4. Undefined for what is no address, or has a zone.
 */
export function canonicalAddress(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  if (!text.includes(':')) return parseIPv4(text) instanceof Refusal ? undefined : text
  const groups = parseIPv6(text)
  if (groups instanceof Refusal) return undefined
  const six = formatIPv6(groups)
  return MAPPED.exec(six)?.[1] ?? six
}

/** Why no machine can be spoken to at this address; undefined if one can. */
export function addressProblem(text: string): string | undefined {
  const address = canonicalAddress(text)
  if (address === undefined) return 'is no IP address'
  if (address === '0.0.0.0' || address === '::') return 'stands for no machine in particular'
  if (isMulticast(address)) return 'is a multicast address, which no machine has for itself'
  return undefined
}

function isMulticast(address: string): boolean {
  if (address.includes(':')) return address.startsWith('ff')
  const first = Number(address.split('.', 1)[0])
  return first >= 224
}
