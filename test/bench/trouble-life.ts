import { setTimeout as delay } from 'node:timers/promises'
import { Cluster } from '#api/cluster.ts'
import { labelOne } from './edits.ts'
import { floodOf } from './flood.ts'
import { followObjects } from './followed-objects.ts'
import { type Management, startManagement } from './management.ts'
import { demandOperator, type OperatorProcess, startOperator } from './operator-process.ts'
import { type Pass, passesIn } from './passes.ts'
import { createCluster, loopback, type PretendCluster } from './pretend-clusters.ts'
import { PRETEND_TALOS } from './pretend-machines.ts'
import { allReady } from './ready.ts'
import { type SimulatedFleet, startFleet } from './simulated-fleet.ts'

export const SIZE = { controlPlanes: 1, workers: 2 }
const PER_CLUSTER = SIZE.controlPlanes + SIZE.workers
const BLOCK = 54
const REST_MS = 45_000
// A machine that does not answer is given up after some seconds: by then all that it holds up is held up.
const BEGIN_MS = 10_000
export const ROUNDS = 3
const EDITS = 45
const EDIT_EVERY_MS = 400

/** What is wrong with one cluster while others are edited. */
export type Trouble =
  | 'none'
  /** All its machines, and so its API, take connections and are silent on them. */
  | 'silent'
  /** One machine answers each call after some seconds. */
  | 'slow'
  /** The nodes of the cluster change many times a second. */
  | 'floods'

const TROUBLES: readonly Trouble[] = ['none', 'silent', 'slow', 'floods']

/** How long the passes of the other clusters took beside each, in seconds. */
export type TroubleLife = Record<Trouble, number[]>

interface Around {
  management: Management
  fleet: SimulatedFleet
  operator: OperatorProcess
  /** The one that something is wrong with. */
  sick: PretendCluster
  others: readonly PretendCluster[]
}

/** Clusters come up and rest. Then, by turns, one of them is in each kind of trouble while others are edited. */
export async function troubleLife(count: number): Promise<TroubleLife> {
  await demandOperator()
  await using management = await startManagement()
  const addresses = loopback(BLOCK, 0, count * PER_CLUSTER)
  await using fleet = await startFleet({ addresses, talosVersion: PRETEND_TALOS })
  await using clusters = await followObjects(management.client, Cluster)
  await using operator = await startOperator(management.kubeconfig, ['--log-level', 'debug'])
  const all = Array.from({ length: count }, (_, at) => ({
    ...{ name: `cluster-${at}`, controlPlanes: SIZE.controlPlanes },
    addresses: addresses.slice(at * PER_CLUSTER, (at + 1) * PER_CLUSTER),
  }))
  for (const cluster of all) await createCluster(management.client, cluster)
  await allReady(clusters, count)
  await delay(REST_MS)
  const [sick, ...others] = all
  if (!sick) throw new Error('there is no cluster')
  const around = { management, fleet, operator, sick, others }
  const life: TroubleLife = { none: [], silent: [], slow: [], floods: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, trouble] of TROUBLES.entries()) {
      const number = round * TROUBLES.length + at
      life[trouble].push(...(await passesOfRound(number, trouble, around)))
    }
  }
  return life
}

async function passesOfRound(
  round: number,
  trouble: Trouble,
  { management: { client }, fleet, operator, sick, others }: Around,
): Promise<number[]> {
  await fleet.ask('onlyFaults', faultsOf(trouble, sick))
  await using _flood = trouble === 'floods' ? await floodOf(client, sick.name) : undefined
  // There is something to do for it, too.
  await labelOne(client, sick, `round-${round}`)
  await delay(BEGIN_MS)
  const before = passesIn(await operator.log()).length
  for (let edit = 0; edit < EDITS; edit++) {
    const cluster = others[(round * EDITS + edit) % others.length]
    if (cluster) await labelOne(client, cluster, `round-${round}`)
    await delay(EDIT_EVERY_MS)
  }
  const isOther = ({ cluster }: Pass) => cluster !== sick.name
  const passes = passesIn(await operator.log()).slice(before)
  return passes.filter(isOther).map(({ seconds }) => seconds)
}

function faultsOf(trouble: Trouble, { addresses }: PretendCluster): string[] {
  if (trouble === 'silent') return addresses.map((one) => `unreachable:${one},how=silent`)
  if (trouble === 'slow') return addresses.slice(-1).map((one) => `slow:${one},by=3s`)
  return []
}
