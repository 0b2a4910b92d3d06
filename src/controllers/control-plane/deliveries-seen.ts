import { createHash } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import { RecentlyUsed } from '#engine/recently-used.ts'
import { endpointOf } from '#engine/wanted-config-cluster.ts'
import { keyOf } from '#kube/cache.ts'
import type { Reader } from '#runtime/reader.ts'
import { dueOf, type From } from './deliveries.ts'
import type { Due, Taken } from './world.ts'

// A cluster on its way is passed several times a second, and nobody takes its Secrets away meanwhile.
const SETTLED_MS = 60_000

interface Settled {
  /** What they were made from. */
  id: string
  untilMs: number
}

/**
 * Which Secrets have to be written, as `dueOf` has it; but those that were found as they should be are not
 * asked for again within a minute, unless they are to be others. Nothing is decided by them but whether to write them.
 */
export class DeliveriesSeen {
  readonly #clock: Clock
  readonly #settled = new RecentlyUsed<Settled>(2_000)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async dueOf(from: From, read: Reader): Promise<{ due: Due[]; taken: Taken[] }> {
    const [cluster, id] = [keyOf(from.controlPlane), idOf(from)]
    const before = this.#settled.get(cluster)
    const isSettled = before?.id === id && this.#clock.monotonicMs() < before.untilMs
    if (isSettled) return { due: [], taken: [] }
    const found = await dueOf(from, read)
    const isAsItShould = found.due.length === 0 && found.taken.length === 0
    if (!isAsItShould) this.#settled.delete(cluster)
    else this.#settled.set(cluster, { id, untilMs: this.#clock.monotonicMs() + SETTLED_MS })
    return found
  }
}

/** The same for the same files. */
function idOf({ controlPlane, bundle, machines, config }: From): string {
  const { uid, generation, ownerReferences } = controlPlane.metadata
  const parts = [
    ...[uid, generation, ownerReferences, controlPlane.status?.observedKubeVersion],
    ...[bundle.cluster.id, bundle.talos.certificate, bundle.kubernetes.certificate],
    ...[endpointOf(controlPlane), machines.map(({ spec }) => spec?.endpoint)],
    config?.open(),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}
