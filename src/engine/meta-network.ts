import { ConfigError } from '#machineconfig/config-error.ts'
import { META_METAL_NETWORK } from '#machineconfig/generate/meta-values.ts'
import { type MetalNetwork, metalNetworkConfig } from '#machineconfig/generate/metal-network.ts'
import { addressRange } from '#machineconfig/validate/checks/prefix.ts'
import type { MachineSpec } from './pool.ts'
import { canonicalAddress } from './pool-address.ts'

/** What is written to the META partition of a machine, last of all: it counts at the next boot. */
export interface MetaNetwork {
  key: typeof META_METAL_NETWORK
  value: string
}

/** Why there is nothing to write: a sentence that says what to change. */
export interface MetaProblem {
  reason: 'MetaInvalid'
  message: string
}

/** The network of a machine at an address, for META, or what is wrong with `machineSpec.meta`. */
export function metaNetwork(
  meta: NonNullable<MachineSpec['meta']>,
  endpoint: string,
): MetaNetwork | { problem: MetaProblem } {
  const address = canonicalAddress(endpoint)
  if (address === undefined) {
    return refused(
      'it needs the IP address of the machine. Write the address of the machine as an IP address, or leave meta out',
    )
  }
  const network: MetalNetwork = { ...meta, address }
  try {
    const value = metalNetworkConfig(network)
    const unreachable = gatewayProblem(network)
    return unreachable ? refused(unreachable) : { key: META_METAL_NETWORK, value }
  } catch (error) {
    if (error instanceof ConfigError) return refused(error.message)
    throw error
  }
}

/** Linux takes no route through a gateway that is not on the link. */
function gatewayProblem({ address, subnet, gateway }: MetalNetwork): string | undefined {
  const reached = canonicalAddress(gateway ?? '')
  if (reached === undefined || /^fe[89ab]/.test(reached)) return undefined
  const link = addressRange(`${address}/${subnet}`)
  const at = addressRange(`${reached}/${reached.includes(':') ? 128 : 32}`)
  if (!link || !at || link.bits !== at.bits) return undefined
  if (link.first <= at.first && at.last <= link.last) return undefined
  return `gateway: ${reached} is not in ${address}/${subnet}, so the machine would not reach it. Correct gateway or subnet`
}

const refused = (why: string): { problem: MetaProblem } => ({
  problem: { reason: 'MetaInvalid', message: `machineSpec.meta: ${why}.` },
})
