import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import type { ClusterSeen, NodeSeen } from '#engine/cluster-nodes-seen.ts'
import { isVoterWell } from '#engine/etcd-members.ts'
import { canonicalAddress } from '#engine/pool-address.ts'
import { areSettled } from './machine-facts.ts'
import type { UnknownNode, World } from './world.ts'

interface Around {
  /** Those of the control plane. */
  machines: readonly Machine[]
  pools: readonly Worker[]
  /** All that there are, of whomever. */
  all: readonly Machine[]
}

/**
 * Nodes of machines that no object stands for: one that was to be wiped and was not, say, and is switched on again. By what the
 * firmware says of itself; and, as both may know that differently, by name and address. What is no machine has none of it.
 */
export function unknownNodes({ api, nodes }: ClusterSeen, around: Around): UnknownNode[] {
  if (api.is !== 'answering') return []
  const claimed = unclaimed(nodes, around.machines)
  const left = claimed.length > 0 ? unclaimed(claimed, around.all) : claimed
  if (left.length === 0) return []
  const signs = signsOf(around)
  return left
    .filter(({ name, addresses }) => ![name, ...addresses].some((sign) => signs.has(sign)))
    .map(({ name, machineUuid = '', addresses: [address] }) => ({
      ...{ name, machineUuid, ...(address !== undefined && { address }) },
    }))
}

/** Those whose machine none of these has. */
function unclaimed(nodes: readonly NodeSeen[], machines: readonly Machine[]): NodeSeen[] {
  const left = new Map(
    nodes.flatMap((node) => (node.machineUuid ? [[node.machineUuid, node] as const] : [])),
  )
  // There may be thousands of machines, and of nodes that are nobody's there are none.
  for (const { metadata } of machines) {
    if (left.size === 0) break
    left.delete(metadata.annotations?.[MACHINE_UUID]?.toLowerCase() ?? '')
  }
  return [...left.values()]
}

/** What the machines of a cluster are called, and where they are. */
function signsOf({ machines, pools, all }: Around): Set<string> {
  const names = new Set(pools.map(({ metadata }) => metadata.name))
  const workers = all.filter(({ spec }) => names.has(spec?.workerRef?.name ?? ''))
  return new Set(
    [...machines, ...workers].flatMap(({ spec, status }) =>
      [spec?.endpoint, status?.hostname, ...(status?.addresses ?? [])].flatMap((sign) =>
        sign ? [canonicalAddress(sign) ?? sign] : [],
      ),
    ),
  )
}

/** They are nobody's to watch, change or drain, and have the keys of the cluster. Whose they are is for a person to say. */
export function unknownNodeNotices({
  machines,
  unknownNodes: unknown,
}: Pick<World, 'machines' | 'unknownNodes'>) {
  const through = machines.find(isVoterWell)?.spec?.endpoint
  if (through === undefined || !areSettled(machines)) return []
  return unknown.map(({ name, machineUuid, address = 'ADDRESS' }) => ({
    reason: 'UnknownNode',
    message: `the node ${name} (machine ${machineUuid} at ${address}) belongs to no TalosMachine, and nothing is done to it. If its machine is to be wiped, as one that was off when it was taken out: \`talosctl -e ${through} -n ${address} reset\`. If it is wiped already, or gone for good: \`kubectl delete node ${name}\``,
  }))
}
