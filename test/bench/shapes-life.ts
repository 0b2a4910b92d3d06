import { setTimeout as delay } from 'node:timers/promises'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { followObjects } from './followed-objects.ts'
import { startManagement } from './management.ts'
import { type Minute, minuteOf } from './operator-minute.ts'
import { demandOperator, startOperator } from './operator-process.ts'

const CONTROL_PLANES = 3
const WORKERS = 7
const WITHIN_MS = 300_000
const SETTLE_MS = 30_000

/**
 * Clusters by their shape, whose Machines a provider says are running, and that have no address: all that the contract asks
 * for, without the engine. Once all are Running, a minute passes.
 */
export async function shapesLife(clusters: number): Promise<Minute> {
  await demandOperator()
  await using management = await startManagement()
  const { client } = management
  await using machines = await followObjects(client, ProvidedMachine)
  await using followed = await followObjects(client, KubernetesCluster)
  await using operator = await startOperator(management.kubeconfig)
  for (let at = 0; at < clusters; at++) {
    await client.create(KubernetesCluster, {
      metadata: { namespace: 'default', name: `shape-${at}` },
      spec: {
        // Its secrets have no RSA key, which takes seconds to make.
        ...{ kubernetesVersion: 'v1.29.7', talosVersion: 'v1.6.7' },
        clusterEndpoint: `https://shape-${at}.example.com`,
        controlPlane: { replicas: CONTROL_PLANES },
        workers: [{ name: 'workers', replicas: WORKERS }],
      },
    })
  }
  const count = clusters * (CONTROL_PLANES + WORKERS)
  await machines.until(`${count} Machines`, (all) => all.length === count, WITHIN_MS)
  for (const { metadata } of machines.objects()) {
    const { namespace = '', name } = metadata
    await client.patch(
      ProvidedMachine,
      { namespace, name, subresource: 'status' },
      { type: 'merge', body: { status: { phase: 'Running' } } },
    )
  }
  await followed.until(
    'all clusters to be running',
    (all) => all.every(({ status }) => status?.phase === 'Running'),
    WITHIN_MS,
  )
  await delay(SETTLE_MS)
  // Waited for here: the operator ends with this function.
  return await minuteOf(operator)
}
