import { isIP } from 'node:net'
import { ConfigError } from '#machineconfig/config-error.ts'
import { parseVersion } from '#machineconfig/versions/version.ts'
import type { ClusterOptions, Cni } from './options.ts'

const LARGEST_PORT = 65_535
const LONGEST_PREFIX = new Map([
  [4, 32],
  [6, 128],
])
const MIRROR = /^https?:\/\/[A-Za-z0-9._~:[\]-]+(\/[A-Za-z0-9._~!$&'()*+,;=:@/-]*)?$/

/** Throws for what no cluster can be made from, in a configuration of this form. */
export function checkOptions(options: ClusterOptions, form: number): void {
  if (options.clusterName === '') throw new ConfigError('a cluster needs a name')
  checkKubernetes(options.kubernetesVersion)
  for (const version of Object.values(options.componentVersions ?? {})) checkKubernetes(version)
  checkSubnets('podSubnets', options.podSubnets ?? [])
  checkSubnets('serviceSubnets', options.serviceSubnets ?? [])
  checkCni(options.cni, form)
  checkNames('additionalSans', options.additionalSans)
  checkPort(options.localApiServerPort)
  checkMirrors(options.registryMirrors ?? {})
}

function checkKubernetes(version: string): void {
  if (version === '' || (parseVersion(version) && /\d\.\d+\.\d/.test(version))) return
  throw new ConfigError(`${quoted(version)} is not a version of Kubernetes: write it like "1.36.0"`)
}

function checkSubnets(name: string, subnets: readonly string[]): void {
  const families = subnets.map((subnet, at) => {
    const family = familyOf(subnet)
    if (family !== undefined) return family
    throw new ConfigError(
      `${name}[${at}]: ${quoted(subnet)} is not an address range like "10.244.0.0/16"`,
    )
  })
  if (new Set(families).size < families.length) {
    throw new ConfigError(`${name}: one IPv4 range, one IPv6 range, or one of each is possible`)
  }
}

function familyOf(subnet: string): number | undefined {
  const [, address = '', bits = ''] = /^([0-9A-Fa-f:.]+)\/(0|[1-9]\d{0,2})$/.exec(subnet) ?? []
  const family = isIP(address)
  return Number(bits) <= (LONGEST_PREFIX.get(family) ?? -1) ? family : undefined
}

function checkCni(cni: Cni | undefined, form: number): void {
  if (cni?.name === 'custom' && cni.urls.length === 0) {
    throw new ConfigError('cni: `custom` needs the URLs of its manifests')
  }
  if (cni?.name !== 'flannel') return
  if (cni.extraArgs && form < 6) throw new ConfigError(tooNew('arguments of flannel', 6))
  if (cni.kubeNetworkPolicies !== undefined && form < 13) {
    throw new ConfigError(tooNew('network policies with flannel', 13))
  }
}

/** Says that a wish needs a newer Talos. */
export const tooNew = (what: string, since: number): string =>
  `${what} need Talos v1.${since} or newer`

/** Throws unless each could be a host name or an address. */
export function checkNames(field: string, names: readonly string[] = []): void {
  for (const [at, name] of names.entries()) {
    if (!/^\S+$/.test(name)) {
      throw new ConfigError(`${field}[${at}]: ${quoted(name)} is no name or address`)
    }
  }
}

function checkPort(port = 1): void {
  if (Number.isInteger(port) && port >= 1 && port <= LARGEST_PORT) return
  throw new ConfigError(`localApiServerPort: must be between 1 and ${LARGEST_PORT}`)
}

function checkMirrors(mirrors: Readonly<Record<string, readonly string[]>>): void {
  for (const [host, endpoints] of Object.entries(mirrors)) {
    const wrong = endpoints.find((endpoint) => !MIRROR.test(endpoint))
    if (wrong !== undefined) {
      throw new ConfigError(
        `the mirror ${quoted(wrong)} of ${quoted(host)} is not a URL like "https://mirror.example:5000"`,
      )
    }
  }
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 80))
