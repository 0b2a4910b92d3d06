import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Cluster } from '#api/cluster.ts'
import { toYaml } from '#base/yaml.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { followObjects } from './followed-objects.ts'
import { type Hold, heldTogether } from './held-together.ts'
import type { Management } from './management.ts'
import { type Minute, minuteOf } from './operator-minute.ts'
import { demandOperator, type OperatorProcess } from './operator-process.ts'
import { bringSecrets, clusterDraft, loopback, type PretendCluster } from './pretend-clusters.ts'
import { PRETEND_TALOS } from './pretend-machines.ts'
import { isReady } from './ready.ts'
import { type SimulatedFleet, startFleet } from './simulated-fleet.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const SIZE = { controlPlanes: 1, workers: 2 }
const PER_CLUSTER = SIZE.controlPlanes + SIZE.workers
const BLOCK = 50
export const UP_WITHIN_MS = 1_200_000
const AT_ONCE = 8
const MOST_OUTPUT_BYTES = 16 * 1024 * 1024
// After half a minute the connections that nobody uses are gone.
const REST_MS = 60_000

/** Small clusters that are to be, their machines and their keys, and an API for them. Disposing of it ends all. */
export interface ManyClusters {
  management: Management
  fleet: SimulatedFleet
  clusters: readonly PretendCluster[]
}

/** How many clusters came up. */
export interface CameUp {
  /** How long kubectl took. */
  applySeconds: number
  /** From when kubectl was started until the last cluster was ready. */
  upSeconds: number
  /** What the operator held by then, at most. */
  peakMb: number
  /** Of the computer, by then. */
  load: number
  /** A minute, one after they were up. */
  minute: Minute
}

export const manyClusters = (
  count: number,
  startApi: () => Promise<Management>,
): Promise<ManyClusters & AsyncDisposable> =>
  heldTogether(async (hold: Hold) => {
    await demandOperator()
    const management = hold(await startApi())
    const clusters = Array.from({ length: count }, (_, at) => ({
      ...{ name: `cluster-${at}`, addresses: loopback(BLOCK, at * PER_CLUSTER, PER_CLUSTER) },
      controlPlanes: SIZE.controlPlanes,
    }))
    const addresses = clusters.flatMap((cluster) => cluster.addresses)
    const fleet = hold(await startFleet({ addresses, talosVersion: PRETEND_TALOS }))
    await bringAllSecrets(management, clusters)
    return { management, fleet, clusters }
  })

async function bringAllSecrets({ client }: Management, clusters: readonly PretendCluster[]) {
  const waiting = [...clusters]
  const bring = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await bringSecrets(client, next.name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, bring))
}

/** All clusters are applied at once and come up; then they rest. */
export async function comeUp(
  operator: OperatorProcess,
  { management: { client, kubeconfig }, clusters }: ManyClusters,
): Promise<CameUp> {
  await using followed = await followObjects(client, Cluster)
  const start = performance.now()
  const secondsSince = () => (performance.now() - start) / 1e3
  await applyAll(kubeconfig, clusters)
  const applySeconds = secondsSince()
  await followed.until(
    `${clusters.length} clusters to be ready`,
    (all) => all.length === clusters.length && all.every(isReady),
    UP_WITHIN_MS,
  )
  const [upSeconds, load] = [secondsSince(), loadavg()[0] ?? 0]
  const { peakMb } = await operator.memory()
  await delay(REST_MS)
  return { applySeconds, upSeconds, peakMb, load, minute: await minuteOf(operator) }
}

/** By `kubectl apply`, as a user would. */
export async function applyAll(
  kubeconfig: string,
  clusters: readonly PretendCluster[],
): Promise<void> {
  const { kubectl } = await realPrograms(['kubectl'])
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'clusters.yaml')
  await writeFile(path, clusters.map((one) => toYaml(clusterDraft(one))).join('---\n'))
  await promisify(execFile)(kubectl, ['--kubeconfig', kubeconfig, 'apply', '-f', path], {
    env: { HOME: folder.path },
    maxBuffer: MOST_OUTPUT_BYTES,
  })
}
