import { setTimeout as delay } from 'node:timers/promises'
import { Machine } from '#api/machine.ts'
import { followObjects } from './followed-objects.ts'
import { startManagement } from './management.ts'
import { type Minute, minuteOf } from './operator-minute.ts'
import { demandOperator, startOperator } from './operator-process.ts'
import { createCluster, loopback } from './pretend-clusters.ts'
import { startPretendMachines } from './pretend-machines.ts'

const CONTROL_PLANES = 3
const PER_CLUSTER = 5
const SILENT_BLOCK = 51
const REFUSING_BLOCK = 52
const TOLD_WITHIN_MS = 180_000
// By then each has been tried several times.
const SETTLE_MS = 30_000

/** What became of machines that do not answer. */
export interface DeadLife {
  /** From a machine's object to the word in its status of what is wrong, at most. */
  toldSeconds: number
  /** The same for each kind. */
  silentSeconds: number
  refusingSeconds: number
  minute: Minute
}

/**
 * Clusters of machines that do not answer: with half of them a connection comes about and nothing is ever
 * said, at the addresses of the others nobody listens. Once all are told of, a minute passes.
 */
export async function deadLife(clusters: number): Promise<DeadLife> {
  await demandOperator()
  const silent = loopback(SILENT_BLOCK, 0, (clusters / 2) * PER_CLUSTER)
  const refusing = loopback(REFUSING_BLOCK, 0, (clusters / 2) * PER_CLUSTER)
  await using management = await startManagement()
  await using _machines = await startPretendMachines({
    addressBase: silent[0] ?? '',
    machines: silent.length,
    faults: ['unreachable,how=silent'],
  })
  await using machines = await followObjects(management.client, Machine)
  const told = new ToldTimes()
  machines.onSeen((machine) => told.look(machine))
  await using operator = await startOperator(management.kubeconfig)
  for (const [at, addresses] of inTurn(silent, refusing).entries()) {
    const [name, controlPlanes] = [`cluster-${at}`, CONTROL_PLANES]
    await createCluster(management.client, { name, addresses, controlPlanes })
  }
  const count = clusters * PER_CLUSTER
  await machines.until(`${count} to be told of`, () => told.count === count, TOLD_WITHIN_MS)
  await delay(SETTLE_MS)
  return {
    toldSeconds: told.longest([...silent, ...refusing]),
    silentSeconds: told.longest(silent),
    refusingSeconds: told.longest(refusing),
    minute: await minuteOf(operator),
  }
}

/** The machines of one cluster after the other: one that is silent, one that refuses. */
const inTurn = (silent: readonly string[], refusing: readonly string[]): string[][] =>
  Array.from({ length: silent.length / PER_CLUSTER }, (_, at) => {
    const own = [at * PER_CLUSTER, (at + 1) * PER_CLUSTER] as const
    return [silent.slice(...own), refusing.slice(...own)]
  }).flat()

/** When each machine was first seen, and when its status first said that it does not answer. */
class ToldTimes {
  readonly #seenMs = new Map<string, number>()
  readonly #toldMs = new Map<string, number>()

  get count(): number {
    return this.#toldMs.size
  }

  look({ spec, status }: Machine): void {
    const [endpoint, now] = [spec?.endpoint ?? '', performance.now()]
    if (!this.#seenMs.has(endpoint)) this.#seenMs.set(endpoint, now)
    const isTold = status?.conditions?.some(({ reason }) => reason === 'Unreachable')
    if (isTold && !this.#toldMs.has(endpoint)) this.#toldMs.set(endpoint, now)
  }

  /** The longest that one of these took. */
  longest(endpoints: readonly string[]): number {
    const ms = endpoints.map(
      (one) => (this.#toldMs.get(one) ?? Infinity) - (this.#seenMs.get(one) ?? 0),
    )
    return Math.max(...ms) / 1e3
  }
}
