import { isIPv4 } from 'node:net'

const NODE_BITS = 24

/** The first range of addresses for the pods of a node that no node has; none if the subnet is not of IPv4, or used up. */
export function freePodRange(subnet: string, taken: ReadonlySet<string>): string | undefined {
  const [base = '', bits = ''] = subnet.split('/')
  const length = Number(bits)
  if (!isIPv4(base) || !(length <= NODE_BITS)) return undefined
  const start = numberOf(base)
  const count = 2 ** (NODE_BITS - length)
  for (let index = 0; index < count; index++) {
    const range = `${addressOf(start + index * 256)}/${NODE_BITS}`
    if (!taken.has(range)) return range
  }
  return undefined
}

/** The first address of a range that no pod has; the first two are the node's. */
export function freePodAddress(range: string, taken: ReadonlySet<string>): string | undefined {
  const start = numberOf(range.split('/')[0] ?? '')
  for (let last = 2; last < 255; last++) {
    const address = addressOf(start + last)
    if (!taken.has(address)) return address
  }
  return undefined
}

/** An address of a subnet of IPv4, counted from its first. */
export function addressAt(subnet: string, index: number): string | undefined {
  const [base = ''] = subnet.split('/')
  return isIPv4(base) ? addressOf(numberOf(base) + index) : undefined
}

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const addressOf = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
