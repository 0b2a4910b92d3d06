import type { ControlPlane } from '#api/control-plane.ts'
import type { Clock } from '#base/clock.ts'
import { secretsNameOf } from '#engine/cluster-secrets.ts'
import { readableBundle } from '#engine/readable-bundle.ts'
import { RecentlyUsed } from '#engine/recently-used.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { Reader } from '#runtime/reader.ts'
import { Slots } from '#talos/slots.ts'

// Machines are looked at in groups, and each question under way has a connection to the API of its own: to make one
// takes longer than to ask, and it is gone before the next group comes. Where nobody waits for the answer, the one
// that renews the Lease every other second does for all.
const AT_ONCE = { atRest: 1, underWay: 4 }

// The Secret is immutable and held by its control plane, which asks for it in every pass of its own.
const REMEMBERED_MS = 15 * 60_000

/** Whether a machine is only looked at, or may be given something. */
export type Occasion = keyof typeof AT_ONCE

interface Remembered {
  bundle: SecretsBundle
  untilMs: number
}

/**
 * The keys of clusters, for looks at their machines. Asked of the API, and for machines at rest, to which
 * nothing is done, only now and then: a tenth of what such a look costs was to ask for what cannot have changed.
 */
export class ClusterKeys {
  readonly #clock: Clock
  readonly #known = new RecentlyUsed<Remembered>(2_000)
  readonly #turns = {
    atRest: new Slots({ atOnce: AT_ONCE.atRest, perGroup: AT_ONCE.atRest }),
    underWay: new Slots({ atOnce: AT_ONCE.underWay, perGroup: AT_ONCE.underWay }),
  }

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  /** Undefined while there are none that can be read. */
  async of(
    controlPlane: ControlPlane,
    occasion: Occasion,
    read: Reader,
  ): Promise<SecretsBundle | undefined> {
    const key = `${controlPlane.metadata.uid} ${secretsNameOf(controlPlane)}`
    const known = occasion === 'atRest' ? this.#known.get(key) : undefined
    if (known && this.#clock.monotonicMs() < known.untilMs) return known.bundle
    const bundle = await this.#asked(controlPlane, occasion, read)
    const untilMs = this.#clock.monotonicMs() + REMEMBERED_MS
    if (bundle) this.#known.set(key, { bundle, untilMs })
    else this.#known.delete(key)
    return bundle
  }

  async #asked(controlPlane: ControlPlane, occasion: Occasion, read: Reader) {
    const done = await this.#turns[occasion].take('', read.signal)
    return readableBundle(controlPlane, read).finally(done)
  }
}
