import { setTimeout as delay } from 'node:timers/promises'
import { Cluster } from '#api/cluster.ts'
import { Machine } from '#api/machine.ts'
import { type Edits, editEach } from './edits.ts'
import { followObjects } from './followed-objects.ts'
import { startManagement } from './management.ts'
import { type Minute, minuteOf } from './operator-minute.ts'
import { demandOperator, startOperator } from './operator-process.ts'
import { createCluster, loopback } from './pretend-clusters.ts'
import { PRETEND_TALOS } from './pretend-machines.ts'
import { allReady } from './ready.ts'
import { startFleet } from './simulated-fleet.ts'

export const SIZE = { controlPlanes: 3, workers: 7 }
const PER_CLUSTER = SIZE.controlPlanes + SIZE.workers
const BLOCK = 50
// After half a minute the connections that nobody uses are gone.
const REST_MS = 45_000
// When a machine is looked at next was decided while there were fewer: up to five minutes there are more looks.
const SETTLE_MS = 300_000

/** What became of settled clusters. */
export interface SettledLife {
  few: { clusters: number; residentMb: number }
  /** Soon after the last of them was up. */
  early: Minute
  minute: Minute
  /** How long it took from the first cluster of the second lot until all were ready. */
  upSeconds: number
  edits: Edits
}

/** Some clusters come up and rest, then many, which settle; then a minute passes, and then each is edited. */
export async function settledLife(few: number, many: number): Promise<SettledLife> {
  await demandOperator()
  await using management = await startManagement()
  await using fleet = await startFleet({
    addresses: loopback(BLOCK, 0, many * PER_CLUSTER),
    talosVersion: PRETEND_TALOS,
  })
  await using clusters = await followObjects(management.client, Cluster)
  await using machines = await followObjects(management.client, Machine)
  await using operator = await startOperator(management.kubeconfig)
  const all = Array.from({ length: many }, (_, at) => ({
    ...{ name: `cluster-${at}`, addresses: loopback(BLOCK, at * PER_CLUSTER, PER_CLUSTER) },
    controlPlanes: SIZE.controlPlanes,
  }))
  const up = async (from: number, to: number) => {
    for (const cluster of all.slice(from, to)) await createCluster(management.client, cluster)
    await allReady(clusters, to)
    await allReady(machines, to * PER_CLUSTER)
  }
  await up(0, few)
  await delay(REST_MS)
  const { nowMb } = await operator.memory()
  const start = performance.now()
  await up(few, many)
  const upSeconds = (performance.now() - start) / 1e3
  await delay(REST_MS)
  const early = await minuteOf(operator)
  await delay(SETTLE_MS)
  const minute = await minuteOf(operator)
  const edits = await editEach(all, { client: management.client, fleet })
  return { few: { clusters: few, residentMb: nowMb }, early, minute, upSeconds, edits }
}
