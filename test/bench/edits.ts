import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Cluster } from '#api/cluster.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import type { PretendCluster } from './pretend-clusters.ts'
import type { SimulatedFleet } from './simulated-fleet.ts'

// Machines that were changed are watched for half a minute each: so the others are at rest, but for a few.
export const EDIT_EVERY_MS = 3_000

interface Around {
  client: KubeClient
  fleet: SimulatedFleet
}

/** What became of edits. */
export interface Edits {
  /** From the answer to each to the first call to a machine of that cluster. */
  firstCallMs: readonly number[]
  /** Of the computer, at the end. */
  load: number
}

/** Edits one cluster after the other: each time one of its machines gets a label. */
export async function editEach(
  clusters: readonly PretendCluster[],
  around: Around,
  everyMs = EDIT_EVERY_MS,
): Promise<Edits> {
  const firstCallMs: number[] = []
  for (const cluster of clusters) {
    const next = delay(everyMs)
    firstCallMs.push(await firstCallAfterEdit(cluster, around))
    await next
  }
  return { firstCallMs, load: loadavg()[0] ?? 0 }
}

async function firstCallAfterEdit(
  cluster: PretendCluster,
  { client, fleet }: Around,
): Promise<number> {
  await fleet.ask('listen', { addresses: cluster.addresses })
  await labelOne(client, cluster)
  const answeredAtMs = systemClock.now().getTime()
  // Whoever watches may be told before whoever wrote.
  return Math.max(0, (await fleet.ask('heardAtMs', undefined)) - answeredAtMs)
}

/** The first machine of the control plane is to have another label. */
export async function labelOne(
  client: KubeClient,
  { name, addresses, controlPlanes }: PretendCluster,
  value = 'yes',
): Promise<void> {
  const configPatches = [{ machine: { nodeLabels: { edited: value } } }]
  const machines = addresses
    .slice(0, controlPlanes)
    .map((address, at) => ({ address, ...(at === 0 && { configPatches }) }))
  await client.patch(
    Cluster,
    { namespace: 'default', name },
    { type: 'merge', body: { spec: { controlPlane: { metalSpec: { machines } } } } },
  )
}
