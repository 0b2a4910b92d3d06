/** The states of a service of Talos, in its words. */
export type ServicePhase =
  | 'Initialized'
  | 'Preparing'
  | 'Waiting'
  | 'Pre'
  | 'Starting'
  | 'Running'
  | 'Stopping'
  | 'Finished'
  | 'Failed'
  | 'Skipped'

/** One service of a machine, with its history since the boot. */
export interface ServiceState {
  readonly id: string
  readonly phase: ServicePhase
  readonly health: {
    readonly isKnown: boolean
    readonly isHealthy: boolean
    readonly message: string
    readonly sinceMs: number
  }
  readonly events: readonly ServiceEvent[]
}

export interface ServiceEvent {
  readonly phase: ServicePhase
  readonly message: string
  readonly atMs: number
}
