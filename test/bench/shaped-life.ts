import { setTimeout as delay } from 'node:timers/promises'
import { Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { looseSecretsDraft } from '#engine/cluster-secrets.ts'
import type { KubeClient } from '#kube/client.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { followObjects } from './followed-objects.ts'
import { startManagement } from './management.ts'
import { type Minute, minuteOf } from './operator-minute.ts'
import { demandOperator, startOperator } from './operator-process.ts'
import { loopback } from './pretend-clusters.ts'
import { PRETEND_TALOS } from './pretend-machines.ts'
import { startFleet } from './simulated-fleet.ts'

export const SIZE = { controlPlanes: 3, workers: 7 }
const PER_CLUSTER = SIZE.controlPlanes + SIZE.workers
const BLOCK = 50
const NAMESPACE = 'default'
const KUBERNETES = 'v1.35.0'
// The keys of newer versions contain an RSA key, which takes seconds to make.
const SECRETS_OF = 'v1.6.0'
const MADE_WITHIN_MS = 300_000
const UP_WITHIN_MS = 900_000
// As for TalosClusters that settle: up to five minutes there are more looks, and connections are kept.
const SETTLE_MS = 345_000

/** What became of clusters by their shape whose machines are there. */
export interface ShapedLife {
  minute: Minute
  /** From the first address to the last cluster that runs. */
  upSeconds: number
}

/** Clusters by their shape come up on pretend machines and settle; then a minute passes. */
export async function shapedLife(clusters: number): Promise<ShapedLife> {
  await demandOperator()
  await using management = await startManagement()
  const { client } = management
  const addresses = loopback(BLOCK, 0, clusters * PER_CLUSTER)
  await using _fleet = await startFleet({ addresses, talosVersion: PRETEND_TALOS })
  await using machines = await followObjects(client, ProvidedMachine)
  await using followed = await followObjects(client, KubernetesCluster)
  await using operator = await startOperator(management.kubeconfig)
  for (let at = 0; at < clusters; at++) {
    await createShape(client, at, addresses[at * PER_CLUSTER] ?? '')
  }
  const { length: count } = addresses
  await machines.until(`${count} Machines`, (all) => all.length === count, MADE_WITHIN_MS)
  const start = performance.now()
  for (const { metadata } of machines.objects()) {
    await place(client, metadata.name, addresses[numberOf(metadata.name)] ?? '')
  }
  await followed.until(
    'all clusters to be running',
    (all) => all.length === clusters && all.every(({ status }) => status?.phase === 'Running'),
    UP_WITHIN_MS,
  )
  const upSeconds = (performance.now() - start) / 1e3
  await delay(SETTLE_MS)
  return { minute: await minuteOf(operator), upSeconds }
}

/** A cluster whose keys the user brings. */
async function createShape(client: KubeClient, at: number, endpoint: string): Promise<void> {
  const name = `shape-${at}`
  const bundle = await generateBundle({ talosVersion: SECRETS_OF, now: new Date() })
  const { metadata, ...secret } = looseSecretsDraft(
    { name: `${name}-talos-secrets`, labels: {} },
    bundle,
  ).open()
  await client.create(Secret, { ...secret, metadata: { ...metadata, namespace: NAMESPACE } })
  await client.create(KubernetesCluster, {
    metadata: { namespace: NAMESPACE, name },
    spec: {
      ...{ kubernetesVersion: KUBERNETES, talosVersion: PRETEND_TALOS },
      clusterEndpoint: `https://${endpoint}:6443`,
      controlPlane: { replicas: SIZE.controlPlanes },
      workers: [{ name: 'workers', replicas: SIZE.workers }],
    },
  })
}

/** As a provider does it. */
const place = (client: KubeClient, name: string, address: string): Promise<unknown> =>
  client.patch(
    ProvidedMachine,
    { namespace: NAMESPACE, name, subresource: 'status' },
    { type: 'merge', body: { status: { phase: 'Running', ipAddresses: [address] } } },
  )

/** Which of all machines one is: `shape-7-workers-2` is the third after the control planes of the eighth. */
function numberOf(name: string): number {
  const [, cluster, group, index] = /^shape-(\d+)-(cp|workers)-(\d+)$/.exec(name) ?? []
  const before = group === 'cp' ? 0 : SIZE.controlPlanes
  return Number(cluster) * PER_CLUSTER + before + Number(index)
}
