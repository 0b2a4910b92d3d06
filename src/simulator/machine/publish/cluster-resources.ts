import type { Affiliate } from '#simulator/clusters/affiliates.ts'
import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'

const cluster = placed('cluster', 'cluster.talos.dev')

const API_PORT = 6443

/** Who else belongs to the cluster, as discovery has it. */
export function clusterResources(view: MachineView): ShownResource[] {
  const { facts, nodeId, affiliates } = view
  if (!facts) return []
  const known = facts.hasDiscovery ? affiliates : affiliates.filter((one) => one.nodeId === nodeId)
  return [
    cluster('Identities', 'local', { nodeId }),
    cluster('Infos', 'current', { clusterId: facts.clusterId, clusterName: facts.clusterName }),
    ...known.map((one) => cluster('Affiliates', one.nodeId, affiliateSpec(one))),
    ...known.map((one) => cluster('Members', one.hostname, memberSpec(one))),
  ]
}

const memberSpec = ({ nodeId, address, hostname, type, talosVersion }: Affiliate): object => ({
  nodeId,
  addresses: [address],
  hostname,
  machineType: type,
  operatingSystem: `Talos (${talosVersion})`,
  ...(type === 'controlplane' && { controlPlane: { port: API_PORT } }),
})

function affiliateSpec(affiliate: Affiliate): object {
  const { nodeId, address, hostname, type, talosVersion } = affiliate
  return {
    nodeId,
    addresses: [address],
    hostname,
    nodename: hostname,
    operatingSystem: `Talos (${talosVersion})`,
    machineType: type,
    ...(type === 'controlplane' && { controlPlane: { port: API_PORT } }),
  }
}
