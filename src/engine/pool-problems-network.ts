// What is wrong with the networks of a cluster.

import { isIPv4 } from 'node:net'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readEndpoint } from '#machineconfig/generate/endpoint.ts'
import {
  type AddressRange,
  addressRange,
  isMasked,
  isOverlapping,
} from '#machineconfig/validate/checks/prefix.ts'
import { canonicalAddress } from './pool-address.ts'
import { firstOf, type PoolInput, type PoolProblem } from './pool-input.ts'
import { endpointOf } from './wanted-config-cluster.ts'

/** A range of addresses of a cluster, and where it is written. */
export interface PlacedRange {
  place: string
  text: string
}

/**
 * An endpoint that no client could use. `http` is one, although the schema takes it: the API serves nothing but
 * TLS, and a kubeconfig with such a URL sends no credentials.
 */
export function endpointProblem({ controlPlane, worker }: PoolInput): PoolProblem | undefined {
  if (worker) return undefined
  const endpoint = endpointOf(controlPlane)
  const why = whyNoEndpoint(endpoint)
  if (why === undefined) return undefined
  return {
    reason: 'EndpointInvalid',
    message: `spec.endpoint: ${why.replaceAll('\n', '; ')}. Write the URL of the Kubernetes API, like https://192.0.2.10:6443.`,
  }
}

function whyNoEndpoint(endpoint: string): string | undefined {
  try {
    const { host } = readEndpoint(endpoint)
    return /^[\d.]+$/.test(host) && !isIPv4(host) ? `${host} is no IP address` : undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** Ranges that are none, that are two of a family, or that overlap. */
export function rangesProblem({ controlPlane, worker }: PoolInput): PoolProblem | undefined {
  const { podCIDR = [], serviceCIDR = [] } = controlPlane.spec ?? {}
  if (worker) return undefined
  return problemOfRanges(placed('spec.podCIDR', podCIDR), placed('spec.serviceCIDR', serviceCIDR))
}

/** The same for ranges that are written elsewhere. */
export const problemOfRanges = (
  pods: readonly PlacedRange[],
  services: readonly PlacedRange[],
): PoolProblem | undefined =>
  firstOf([...pods, ...services], rangeProblem) ??
  firstOf([pods, services], familyProblem) ??
  overlapProblem([...pods, ...services])

/** Ranges with the field that they stand in. */
export const placed = (field: string, ranges: readonly string[]): PlacedRange[] =>
  ranges.map((text, at) => ({ place: `${field}[${at}]`, text }))

function rangeProblem({ place, text }: PlacedRange): PoolProblem | undefined {
  const range = canonicalRange(text)
  if (!range) {
    return {
      reason: 'CidrInvalid',
      message: `${place}: ${text} is no address range. Write it like 10.244.0.0/16 or fd00:10:244::/56.`,
    }
  }
  if (isMasked(range)) return undefined
  return {
    reason: 'CidrInvalid',
    message: `${place}: ${text} has bits set after its prefix. Write ${textOf(range.first, range.bits)}/${text.split('/')[1]}.`,
  }
}

function familyProblem(ranges: readonly PlacedRange[]): PoolProblem | undefined {
  const known = new Map<number, string>()
  return firstOf(ranges, ({ place, text }) => {
    const { bits = 0 } = canonicalRange(text) ?? {}
    const other = known.get(bits)
    known.set(bits, place)
    return other === undefined
      ? undefined
      : {
          reason: 'CidrInvalid',
          message: `${other} and ${place} are both ${familyName(bits)}: one range of each family is possible. Remove one of them.`,
        }
  })
}

/** The first two of the ranges that have an address in common. */
export function overlapProblem(ranges: readonly PlacedRange[]): PoolProblem | undefined {
  const read = ranges.flatMap(({ place, text }) => {
    const range = canonicalRange(text)
    return range ? [{ place, text, range }] : []
  })
  return firstOf(read.entries(), ([at, one]) => {
    const other = read.slice(0, at).find(({ range }) => isOverlapping(range, one.range))
    return (
      other && {
        reason: 'CidrOverlap',
        message: `${other.place} (${other.text}) and ${one.place} (${one.text}) have addresses in common. Choose ranges of pods and Services that do not overlap.`,
      }
    )
  })
}

/** A Service that has no address of any family that pods have leads nowhere: not even names are resolved. */
export function familiesProblem(
  pods: readonly PlacedRange[],
  services: readonly PlacedRange[],
): PoolProblem | undefined {
  const [ofPods, ofServices] = [familiesOf(pods), familiesOf(services)]
  const isCommon = [...ofPods].some((family) => ofServices.has(family))
  if (isCommon || ofPods.size === 0 || ofServices.size === 0) return undefined
  const words = (families: ReadonlySet<number>) => [...families].map(familyName).join(' and ')
  return {
    reason: 'CidrInvalid',
    message: `pods get ${words(ofPods)} addresses and Services ${words(ofServices)} ones, so that no Service would lead to a pod. Set spec.podCIDR and spec.serviceCIDR to ranges of the same family, or of both.`,
  }
}

const familiesOf = (ranges: readonly PlacedRange[]): ReadonlySet<number> =>
  new Set(ranges.flatMap(({ text }) => canonicalRange(text)?.bits ?? []))

const familyName = (bits: number): string => (bits === 32 ? 'IPv4' : 'IPv6')

/** The range that an address lies in, if any. */
export function rangeAround(
  address: string,
  ranges: readonly PlacedRange[],
): PlacedRange | undefined {
  const own = addressRange(`${address}/${address.includes(':') ? 128 : 32}`)
  return ranges.find(({ text }) => {
    const range = canonicalRange(text)
    return own !== undefined && range !== undefined && isOverlapping(own, range)
  })
}

function canonicalRange(text: string): AddressRange | undefined {
  const [, address = '', prefix = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  // An IPv4 range that is written as IPv6 has a prefix of IPv6, and nobody reads it as either.
  const canonical = canonicalAddress(address)
  if (canonical === undefined || canonical.includes(':') !== address.includes(':')) return undefined
  return addressRange(`${canonical}/${prefix}`)
}

function textOf(value: bigint, bits: 32 | 128): string {
  const size = bits === 32 ? 8n : 16n
  const parts = Array.from({ length: bits === 32 ? 4 : 8 }, (_, at) => {
    const shift = BigInt(bits) - size * BigInt(at + 1)
    return (value >> shift) & ((1n << size) - 1n)
  })
  if (bits === 32) return parts.join('.')
  const six = parts.map((part) => part.toString(16)).join(':')
  return canonicalAddress(six) ?? six
}
