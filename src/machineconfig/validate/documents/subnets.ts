import type { ValueMap } from '#machineconfig/document.ts'
import { parseIPv6 } from '#machineconfig/read/leaves/ipv6.ts'
import { numberAt, textsAt } from '#machineconfig/validate/checks/fields.ts'

// A subnet that has fewer bits for hosts than this is of no use.
const SMALLEST = 4
const MASKS = [
  ['nodeCIDRMaskSizeIPv4', 32],
  ['nodeCIDRMaskSizeIPv6', 128],
] as const

/** What is wrong with the networks of pods and services. */
export function* subnetErrors(fields: ValueMap): Iterable<string> {
  for (const [key, most] of MASKS) {
    const size = numberAt(fields, key)
    if (size < 0 || size > most) yield `${key} must be between 1 and ${most}`
  }
  const pods = textsAt(fields, 'podSubnets')
  const services = textsAt(fields, 'serviceSubnets')
  const podProblem = subnetsProblem(pods)
  if (podProblem !== undefined) yield `pod subnets: ${podProblem}`
  const serviceProblem = subnetsProblem(services)
  if (serviceProblem !== undefined) yield `service subnets: ${serviceProblem}`
  if (pods.length !== services.length) {
    yield 'the number of pod subnets must match the number of service subnets'
  }
}

function subnetsProblem(subnets: readonly string[]): string | undefined {
  if (subnets.length === 0) return 'at least one subnet must be specified'
  if (subnets.length > 2) return 'at most two subnets can be specified for dual-stack clusters'
  for (const subnet of subnets) {
    const problem = subnetProblem(subnet)
    if (problem !== undefined) return `invalid subnet: ${problem}`
  }
  const [first = '', second] = subnets.map((subnet) => subnet.includes(':'))
  return first === second
    ? 'at most one IPv4 and one IPv6 subnet can be specified for dual-stack clusters'
    : undefined
}

function subnetProblem(subnet: string): string | undefined {
  const [address = '', length] = subnet.split('/')
  if (length === undefined) return 'invalid Prefix'
  const host = addressBits(address).slice(Number(length))
  if (host.includes('1')) return `${subnet} is not a valid CIDR`
  if (host.length >= SMALLEST) return undefined
  return `${subnet} is too small, it must be at least /${SMALLEST} IPs`
}

/** The bits of an address that was read before, as text. */
function addressBits(address: string): string {
  if (!address.includes(':')) return bitsOf(address.split('.').map(Number), 8)
  const groups = parseIPv6(address)
  return Array.isArray(groups) ? bitsOf(groups, 16) : ''
}

const bitsOf = (numbers: readonly number[], width: number): string =>
  numbers.map((number) => number.toString(2).padStart(width, '0')).join('')
