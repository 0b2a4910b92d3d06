import { isIPv4, isIPv6 } from 'node:net'
import { quote } from '#machineconfig/quote.ts'

const LARGEST_MASK = { four: 32, six: 128 }

/** Whether Go's `netip.ParseAddr` takes it: an IPv6 address may have a zone. */
export function isAddress(text: string): boolean {
  const [six = '', zone] = splitAtFirst(text, '%')
  return isIPv4(text) || (isPlainIPv6(six) && zone !== '')
}

/** Whether Go's `net.ParseIP` takes it: no zones. */
export const isIp = (text: string): boolean => isIPv4(text) || isPlainIPv6(text)

/** Whether Go's `netip.ParsePrefix` takes it: `10.0.0.0/8`, also with bits outside of the mask. */
export function isPrefix(text: string): boolean {
  const [address = '', bits = ''] = splitAtLast(text, '/')
  return /^(0|[1-9]\d*)$/.test(bits) && isMasked(address, bits)
}

/** Whether Go's `net.ParseCIDR` takes it, which is the same but for zeros before the bits. */
export function isCidr(text: string): boolean {
  const [address = '', bits = ''] = splitAtFirst(text, '/')
  return /^\d+$/.test(bits) && isMasked(address, bits)
}

/** Whether it is a subnet (`10.0.0.0/8`) or one address. */
export const isSubnetOrAddress = (text: string): boolean => isPrefix(text) || isAddress(text)

/** What is wrong with an address that may have a mask, in Talos' words. */
export function addressProblem(text: string): string | undefined {
  if (text.includes('/')) return isCidr(text) ? undefined : `invalid CIDR address: ${text}`
  return isIp(text) ? undefined : `failed to parse IP address ${quote(text)}`
}

function isMasked(address: string, bits: string): boolean {
  const largest = isIPv4(address) ? LARGEST_MASK.four : LARGEST_MASK.six
  return isIp(address) && Number(bits) <= largest
}

const isPlainIPv6 = (text: string): boolean => !text.includes('%') && isIPv6(text)

const splitAtFirst = (text: string, mark: string): string[] => splitAt(text, text.indexOf(mark))

const splitAtLast = (text: string, mark: string): string[] => splitAt(text, text.lastIndexOf(mark))

const splitAt = (text: string, index: number): string[] =>
  index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
