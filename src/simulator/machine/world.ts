import type { Clock } from '#base/clock.ts'
import type { Clusters } from '#simulator/clusters/clusters.ts'
import type { Faults } from '#simulator/faults/faults.ts'

/** What is around a machine. */
export interface World {
  /** By which everything takes its time. */
  readonly clock: Clock
  /** The clock on the wall: by it one waits for others. */
  readonly wallClock: Clock
  readonly faults: Faults
  readonly clusters: Clusters
  /** Names of the system extensions in images of a schematic, by its id. */
  readonly extensions: ReadonlyMap<string, readonly string[]>
  /** Remembers that something happened, in words without secrets. */
  record(address: string, what: string): void
  /** Something about this machine is another. */
  changed(address: string): void
}
