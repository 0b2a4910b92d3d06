import { setTimeout as delay } from 'node:timers/promises'
import { Cluster } from '#api/cluster.ts'
import { labelOne } from './edits.ts'
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
const EDITS = 60
const EDIT_EVERY_MS = 400

/** How long the passes of clusters took that nothing is wrong with. */
export interface BlackHoleLife {
  without: number[]
  beside: number[]
}

interface Around {
  management: Management
  fleet: SimulatedFleet
  operator: OperatorProcess
  hole: PretendCluster
  others: readonly PretendCluster[]
}

/**
 * Clusters come up and rest. Then, by turns, all answer or the machines of one are silent, its API among them; each time
 * others are edited.
 */
export async function blackHoleLife(count: number): Promise<BlackHoleLife> {
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
  const [hole, ...others] = all
  if (!hole) throw new Error('there is no cluster')
  const around = { management, fleet, operator, hole, others }
  const life: BlackHoleLife = { without: [], beside: [] }
  for (let round = 0; round < ROUNDS; round++) {
    life.without.push(...(await passesOfRound(round * 2, [], around)))
    const silent = hole.addresses.map((address) => `unreachable:${address},how=silent`)
    life.beside.push(...(await passesOfRound(round * 2 + 1, silent, around)))
  }
  return life
}

async function passesOfRound(
  round: number,
  faults: readonly string[],
  { management: { client }, fleet, operator, hole, others }: Around,
): Promise<number[]> {
  await fleet.ask('onlyFaults', faults)
  // There is something to do for it, too.
  await labelOne(client, hole, `round-${round}`)
  await delay(BEGIN_MS)
  const before = passesIn(await operator.log()).length
  for (let edit = 0; edit < EDITS; edit++) {
    const cluster = others[(round * EDITS + edit) % others.length]
    if (cluster) await labelOne(client, cluster, `round-${round}`)
    await delay(EDIT_EVERY_MS)
  }
  const isOther = ({ cluster }: Pass) => cluster !== hole.name
  const passes = passesIn(await operator.log()).slice(before)
  return passes.filter(isOther).map(({ seconds }) => seconds)
}
