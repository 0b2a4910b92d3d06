import { isIPv4, isIPv6 } from 'node:net'
import { OperatorError } from '#base/operator-error.ts'
import type { Secret } from '#base/secret.ts'

/** What proves to the machines of one cluster who we are, and to us who they are. All PEM. */
export interface ClusterAccess {
  kind: 'cluster'
  /** The certificates that vouch for the machines: one, or several while they are exchanged. */
  authority: string
  certificate: string
  /** Under any label that Talos writes, `ED25519 PRIVATE KEY` too. */
  key: Secret<string>
}

/** For a machine that has no configuration yet, and so nothing to prove who it is. */
export interface MaintenanceAccess {
  kind: 'maintenance'
  /** Base64 of the SHA-256 of the public key that the machine must have. Left out: any will do. */
  pin?: string
}

/** One machine, at its own address: never that of a load balancer or one that machines share. */
export interface MachineTarget {
  /** An IP address or a host name, without port and brackets. */
  address: string
  /** Left out: the one that Talos listens on. */
  port?: number
  access: ClusterAccess | MaintenanceAccess
}

const TALOS_PORT = 50_000
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i

export const portOf = ({ port = TALOS_PORT }: MachineTarget): number => port

/** How a person knows the machine: its address, and the port where that is not the usual one. */
export function wordsFor(target: MachineTarget): string {
  const { address } = target
  if (portOf(target) === TALOS_PORT) return address
  return isIPv6(address) ? `[${address}]:${portOf(target)}` : `${address}:${portOf(target)}`
}

/** Where it is dialled. Names are looked up, addresses are taken as they are. Throws for what is neither. */
export function placeOf(target: MachineTarget): string {
  const { address } = target
  if (isIPv4(address)) return `${address}:${portOf(target)}`
  // No certificate is for an address with the name of our own interface in it.
  if (isIPv6(address) && !address.includes('%')) return `[${address}]:${portOf(target)}`
  // `10.0.0` and `1.2.3.4.5` would be looked up as names, and some resolvers find something.
  if (HOST_NAME.test(address) && !/^[\d.]+$/.test(address)) return `${address}:${portOf(target)}`
  throw new OperatorError('ValidationError', {
    message: `${JSON.stringify(address.slice(0, 100))} is no address of a machine: an IP address or a host name is one, without a port`,
  })
}
