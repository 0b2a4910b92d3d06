import { isIP } from 'node:net'
import type { ClusterMachine } from './cluster-machine.ts'

/** What is known of all machines there are. */
export interface FleetView {
  /** Whether some machine, of whatever cluster, has this address. */
  hasMachineAt(address: string): boolean
}

/**
 * The control planes of its cluster that a machine finds, by discovery or by the endpoint of the cluster, and gets
 * through to. An endpoint that is no machine's address is taken for a name or a load balancer that leads to all.
 */
export function controlPlanesFor(
  { facts, nodeId, isReachable }: ClusterMachine,
  controlPlanes: readonly ClusterMachine[],
  fleet: FleetView,
): readonly ClusterMachine[] {
  if (!facts || !isReachable) return []
  const others = controlPlanes.filter((one) => one.nodeId !== nodeId && one.isReachable)
  if (facts.hasDiscovery) return others
  const host = hostOf(facts.endpoint)
  const isOfMachine = isIP(host) !== 0 && fleet.hasMachineAt(host)
  return isOfMachine ? others.filter(({ address }) => address === host) : others
}

function hostOf(endpoint: string): string {
  if (!URL.canParse(endpoint)) return ''
  return new URL(endpoint).hostname.replace(/^\[|\]$/g, '')
}
