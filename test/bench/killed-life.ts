import { Cluster } from '#api/cluster.ts'
import { deedsOtherwise } from './deeds.ts'
import { followObjects } from './followed-objects.ts'
import { startManagement } from './management.ts'
import { applyAll, type ManyClusters, manyClusters, UP_WITHIN_MS } from './many-clusters.ts'
import { type OperatorProcess, startOperator } from './operator-process.ts'
import { isReady } from './ready.ts'

/** What became of clusters whose operator was killed while they came up. */
export interface KilledLife {
  /** What was done to clusters and machines otherwise than once; a sentence each. */
  otherwise: string[]
  /** From when kubectl was started until the last cluster was ready. */
  upSeconds: number
  /** How many were ready whenever an operator was killed. */
  readyThen: number[]
}

/** All clusters are applied at once. Whenever so large a part of them is ready, the operator is killed, and another one started. */
export async function killedLife(count: number, killedAt: readonly number[]): Promise<KilledLife> {
  await using many = await manyClusters(count, startManagement)
  const { management, fleet, clusters } = many
  await using followed = await followObjects(management.client, Cluster)
  const readyNow = () => followed.objects().filter(isReady).length
  const readyThen: number[] = []
  const start = performance.now()
  let operator = await startOperator(management.kubeconfig)
  try {
    const applied = applyAll(management.kubeconfig, clusters)
    for (const part of killedAt) {
      await untilReady(part * count)
      readyThen.push(readyNow())
      operator = await killed(operator, many)
    }
    await applied
    await untilReady(count)
  } finally {
    await operator[Symbol.asyncDispose]()
  }
  const upSeconds = (performance.now() - start) / 1e3
  const counts = await fleet.ask('deeds', undefined)
  return { otherwise: deedsOtherwise(clusters, counts), upSeconds, readyThen }

  function untilReady(wanted: number): Promise<void> {
    const isEnough = (all: Parameters<typeof isReady>[0][]) =>
      all.length > 0 && all.filter(isReady).length >= wanted
    return followed.until(`${wanted} clusters to be ready`, isEnough, UP_WITHIN_MS)
  }
}

/** The one is gone as by a crash before the next one starts. */
async function killed(
  operator: OperatorProcess,
  { management }: ManyClusters,
): Promise<OperatorProcess> {
  await operator.kill()
  await operator[Symbol.asyncDispose]()
  return startOperator(management.kubeconfig)
}
