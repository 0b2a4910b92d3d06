import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Cluster } from '#api/cluster.ts'
import { systemClock } from '#base/clock.ts'
import { toYaml } from '#base/yaml.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { type Edits, editEach, labelOne } from './edits.ts'
import { followObjects } from './followed-objects.ts'
import type { Management } from './management.ts'
import { type Minute, minuteOf } from './operator-minute.ts'
import { demandOperator, startOperator } from './operator-process.ts'
import { bringSecrets, clusterDraft, loopback, type PretendCluster } from './pretend-clusters.ts'
import { PRETEND_TALOS } from './pretend-machines.ts'
import { isReady } from './ready.ts'
import { type SimulatedFleet, startFleet } from './simulated-fleet.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const SIZE = { controlPlanes: 1, workers: 2 }
const PER_CLUSTER = SIZE.controlPlanes + SIZE.workers
const BLOCK = 50
const UP_WITHIN_MS = 1_200_000
const AT_ONCE = 8
// After half a minute the connections that nobody uses are gone.
const REST_MS = 60_000
export const EDITED = 100
const EDIT_EVERY_MS = 1_000

/** What became of very many small clusters. */
export interface ThousandLife {
  /** How long kubectl took. */
  applySeconds: number
  /** From when kubectl was started until the last cluster was ready. */
  upSeconds: number
  /** By then, at most. */
  peakMb: number
  /** Of the computer. */
  load: number
  minute: Minute
  edits: Edits
  restart: Restart
}

interface Restart {
  /** From the start of its process to the first 200 on /readyz. */
  readySeconds: number
  /** From the start of its process until a machine is told what was edited at that moment. */
  servedSeconds: number
}

type FirstLife = Omit<ThousandLife, 'restart'>

interface Around {
  management: Management
  fleet: SimulatedFleet
  clusters: readonly PretendCluster[]
}

/** All clusters are applied at once and come up; they rest, some are edited, and the operator starts anew. */
export async function thousandLife(
  count: number,
  startApi: () => Promise<Management>,
): Promise<ThousandLife> {
  await demandOperator()
  await using management = await startApi()
  const clusters = planned(count)
  const addresses = clusters.flatMap((cluster) => cluster.addresses)
  await using fleet = await startFleet({ addresses, talosVersion: PRETEND_TALOS })
  await bringAllSecrets(management, clusters)
  const around = { management, fleet, clusters }
  const first = await firstLife(around)
  return { ...first, restart: await restarted(around) }
}

const planned = (count: number): PretendCluster[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ name: `cluster-${at}`, addresses: loopback(BLOCK, at * PER_CLUSTER, PER_CLUSTER) },
    controlPlanes: SIZE.controlPlanes,
  }))

async function bringAllSecrets({ client }: Management, clusters: readonly PretendCluster[]) {
  const waiting = [...clusters]
  const bring = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await bringSecrets(client, next.name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, bring))
}

async function firstLife({ management, fleet, clusters }: Around): Promise<FirstLife> {
  const { client, kubeconfig } = management
  await using followed = await followObjects(client, Cluster)
  await using operator = await startOperator(kubeconfig)
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
  const minute = await minuteOf(operator)
  const edits = await editEach(spread(clusters, EDITED), { client, fleet }, EDIT_EVERY_MS)
  return { applySeconds, upSeconds, peakMb, load, minute, edits }
}

/** By `kubectl apply`, as a user would. */
async function applyAll(kubeconfig: string, clusters: readonly PretendCluster[]): Promise<void> {
  const { kubectl } = await realPrograms(['kubectl'])
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'clusters.yaml')
  await writeFile(path, clusters.map((one) => toYaml(clusterDraft(one))).join('---\n'))
  await promisify(execFile)(kubectl, ['--kubeconfig', kubeconfig, 'apply', '-f', path], {
    env: { HOME: folder.path },
    maxBuffer: 16 * 1024 * 1024,
  })
}

/** So many of them, from the first to the last. */
const spread = <Item>(items: readonly Item[], count: number): Item[] =>
  items.filter((_, at) => at % Math.ceil(items.length / count) === 0)

/** Another operator is started, and at that moment somebody edits the last cluster. */
async function restarted({ management, fleet, clusters }: Around): Promise<Restart> {
  const { client, kubeconfig } = management
  const [last] = clusters.slice(-1)
  if (!last) throw new Error('there is no cluster')
  await fleet.ask('listen', { addresses: last.addresses, call: 'ApplyConfiguration' })
  const startedAtMs = systemClock.now().getTime()
  const starting = startOperator(kubeconfig)
  await labelOne(client, last, 'again')
  await using operator = await starting
  const servedSeconds = ((await fleet.ask('heardAtMs', undefined)) - startedAtMs) / 1e3
  return { readySeconds: operator.readySeconds, servedSeconds }
}
