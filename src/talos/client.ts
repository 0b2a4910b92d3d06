import { type Clock, systemClock } from '#base/clock.ts'
import { Caller, type CallReport } from './caller.ts'
import { type ConnectionLimits, Connections } from './connections.ts'
import { type TalosMachine, talosMachine } from './machine.ts'
import type { MachineTarget } from './machine-target.ts'

interface Options {
  clock?: Clock
  limits?: Partial<ConnectionLimits>
  /** Told of each call when it is over. */
  onCall?: (report: CallReport) => void
}

const LIMITS: ConnectionLimits = {
  dialMs: 10_000,
  dialsAtOnce: 64,
  dialsPerCluster: 16,
  mostOpen: 256,
  idleMs: 30_000,
}

/** Talks to machines, of any number of clusters, within one set of limits. */
export class TalosClient {
  readonly #clock: Clock
  readonly #connections: Connections
  readonly #onCall: Options['onCall']

  constructor({ clock = systemClock, limits = {}, onCall }: Options = {}) {
    this.#clock = clock
    this.#connections = new Connections(clock, { ...LIMITS, ...limits })
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
