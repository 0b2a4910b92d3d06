import type { Machine } from '#api/machine.ts'
import type { ClusterNodes } from '#engine/cluster-nodes.ts'
import { onlyTo } from '#engine/machine-identity.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { claimedUuid } from './machine-facts.ts'

interface Sync {
  machines: TalosMachines
  nodes: ClusterNodes
  access: ClusterAccess
  /** One of the control plane, whose configuration they are made from. */
  machine: Machine
  cluster: string
}

// Each of them may be told at length.
const MOST_TOLD = 3

/** Brings what Talos runs in the cluster itself, kube-proxy and CoreDNS above all, to what a machine has it now. */
export async function syncManifests(
  { machines, nodes, access, machine, cluster }: Sync,
  signal: AbortSignal,
): Promise<void> {
  const target = machines.machine({ address: machine.spec?.endpoint ?? '', access })
  const uuid = claimedUuid(machine) ?? ''
  const manifests = await onlyTo(target, { uuid, signal }, (same) =>
    same.cluster.manifests({ signal }),
  )
  const objects = manifests.flatMap((one) => one.objects)
  const failed = await nodes.applyManifests(cluster, objects, signal)
  if (failed.length === 0) return
  const told = failed.slice(0, MOST_TOLD).map(({ what, why }) => `${what}: ${why}`)
  throw new Error(
    `${failed.length} of ${objects.length} objects that Talos runs in the cluster were not taken, the others were. ${told.join('; ')}. It is tried again. What cannot be changed any more (a selector, say) has to be deleted by hand, and is then made anew`,
  )
}
