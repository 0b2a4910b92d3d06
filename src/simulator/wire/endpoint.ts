import type { Clock } from '#base/clock.ts'
import type { Credentials } from '#base/x509.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import type { WireFaults } from './wire-faults.ts'

/** One machine on the wire. */
export interface Endpoint {
  readonly machine: Machine
  readonly faults: WireFaults
}

/** Where machines find each other. */
export interface Directory {
  readonly clock: Clock
  readonly wallClock: Clock
  /** Signs for machines that wait for their configuration. */
  readonly authority: () => Credentials
  /** All that are on the wire. */
  readonly endpoints: () => Iterable<Endpoint>
  /** By address. */
  readonly at: (address: string) => Endpoint | undefined
}
