import { isIP, isIPv4 } from 'node:net'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { ValueMap } from '#machineconfig/document.ts'
import { writeValue } from '#machineconfig/write/write-value.ts'
import { checkedHostName } from './host-name.ts'

/** How one machine is on the network, before it has a configuration. */
export interface MetalNetwork {
  /** Of the machine itself. */
  readonly address: string
  readonly hostname?: string
  readonly interface?: string
  /** Prefix length of the address. */
  readonly subnet?: number
  readonly gateway?: string
  readonly dnsServers?: readonly string[]
}

const LAYER = { layer: 'platform' }
// As Talos itself ranks the default routes of the two families.
const INET4 = { family: 'inet4', bits: 32, priority: 1024 }
const INET6 = { family: 'inet6', bits: 128, priority: 2048 }

/**
 * The value of META key 0x0a, which machines on metal read as their network at boot. Throws a ConfigError
 * that names the wrong field.
 */
export function metalNetworkConfig(network: MetalNetwork): string {
  checkAddress('address', network.address)
  const { hostname, dnsServers = [] } = network
  for (const [at, server] of dnsServers.entries()) checkAddress(`dnsServers[${at}]`, server)
  return writeValue({
    ...linkParts(network),
    hostnames: hostname === undefined ? [] : [nameParts(hostname)],
    resolvers: dnsServers.length > 0 ? [{ dnsServers, ...LAYER }] : [],
    timeServers: [],
    operators: [],
    externalIPs: [],
  })
}

function nameParts(name: string): ValueMap {
  const [hostname = '', ...domain] = checkedHostName(name).split('.')
  return { hostname, domainname: domain.join('.'), ...LAYER }
}

function linkParts(network: MetalNetwork): ValueMap {
  const { interface: linkName, subnet, gateway } = network
  if (linkName === undefined) {
    if (subnet === undefined && gateway === undefined)
      return { addresses: [], links: [], routes: [] }
    throw new ConfigError('interface: needed with subnet and gateway')
  }
  const { family } = familyOf(network.address)
  return {
    addresses: [
      {
        address: `${network.address}/${checkedSubnet(network)}`,
        linkName,
        family,
        scope: 'global',
        flags: 'permanent',
        ...LAYER,
      },
    ],
    links: [
      { name: linkName, logical: false, up: true, mtu: 0, kind: '', type: 'ether', ...LAYER },
    ],
    routes: gateway === undefined ? [] : [defaultRoute(linkName, gateway)],
  }
}

function checkedSubnet({ address, subnet }: MetalNetwork): number {
  const { bits } = familyOf(address)
  if (subnet !== undefined && Number.isInteger(subnet) && subnet >= 1 && subnet <= bits)
    return subnet
  throw new ConfigError(`subnet: must be a prefix length between 1 and ${bits}`)
}

function defaultRoute(linkName: string, gateway: string): ValueMap {
  checkAddress('gateway', gateway)
  const { family, priority } = familyOf(gateway)
  return {
    family,
    dst: '',
    src: '',
    gateway,
    outLinkName: linkName,
    table: 'main',
    priority,
    scope: 'global',
    type: 'unicast',
    flags: '',
    protocol: 'static',
    ...LAYER,
  }
}

function checkAddress(field: string, address: string): void {
  if (isIP(address) === 0) {
    throw new ConfigError(`${field}: ${JSON.stringify(address.slice(0, 80))} is no IP address`)
  }
}

const familyOf = (address: string) => (isIPv4(address) ? INET4 : INET6)
