import { quote } from '#machineconfig/quote.ts'
import { isSubnetOrAddress } from './ip.ts'

/** Those of a list of subnets or addresses, a leading `!` aside, that are neither. */
export function* subnetProblems(what: string, subnets: readonly string[]): Generator<string> {
  for (const subnet of subnets) {
    const bare = subnet.replace(/^!/, '')
    if (!isSubnetOrAddress(bare)) yield `${what} is not valid: ${quote(bare)}`
  }
}
