import { type Clock, systemClock } from '#base/clock.ts'
import { Caller, type CallReport } from './caller.ts'
import { type ConnectionLimits, Connections } from './connections.ts'
import { networkDial } from './dial.ts'
import type { Dial } from './line.ts'
import { type TalosMachine, talosMachine } from './machine.ts'
import type { MachineTarget } from './machine-target.ts'

interface Options {
  clock?: Clock
  limits?: Partial<Limits>
  /** Told of each call when it is over. */
  onCall?: (report: CallReport) => void
  /** How machines are dialled. Left out: over the network, within `dialMs`. */
  dial?: Dial
}

interface Limits extends ConnectionLimits {
  /** How long a machine may take until it can be asked something. */
  dialMs: number
}

const LIMITS: Limits = {
  // Enough for TCP to ask three times. Shorter than any call may take, so that what is said is always the same.
  dialMs: 3_500,
  dialsAtOnce: 320,
  dialsPerCluster: 64,
  handshakesAtOnce: 8,
  // 300 that are off have all been dialled within a second.
  handshakeMs: { least: 25, most: 250 },
  mostOpen: 16,
  idleMs: 10_000,
}

/** Talks to machines, of any number of clusters, within one set of limits. */
export class TalosClient {
  readonly #clock: Clock
  readonly #connections: Connections
  readonly #onCall: Options['onCall']

  constructor({ clock = systemClock, limits = {}, onCall, dial }: Options = {}) {
    const { dialMs, ...bounds } = { ...LIMITS, ...limits }
    this.#clock = clock
    this.#connections = new Connections(clock, bounds, dial ?? networkDial({ clock, dialMs }))
    this.#onCall = onCall
  }

  /** How many connections there are at the moment. */
  get openConnections(): number {
    return this.#connections.open
  }

  /** One machine. This costs nothing: it is dialled for the first call. */
  machine(target: MachineTarget): TalosMachine {
    return talosMachine(
      new Caller(target, {
        clock: this.#clock,
        connections: this.#connections,
        onCall: this.#onCall,
      }),
    )
  }

  /** Ends all connections. Calls under way are lost, and there can be no more. */
  close(): void {
    this.#connections.close()
  }
}
