import type { Cancel } from '#base/clock.ts'

/** Something that happened on a machine, as its event stream tells it. */
export interface MachineEvent {
  /** An xid; grows with time. */
  readonly id: string
  readonly actorId: string
  readonly atMs: number
  readonly payload: EventPayload
}

export type EventPayload =
  | {
      readonly type: 'SequenceEvent'
      sequence: string
      action: SequenceAction
      error?: SequenceError
    }
  | { readonly type: 'PhaseEvent'; phase: string; action: 'START' | 'STOP' }
  | { readonly type: 'TaskEvent'; task: string; action: 'START' | 'STOP' }
  | {
      readonly type: 'ServiceStateEvent'
      service: string
      action: string
      message: string
      isHealthy?: boolean
    }
  | { readonly type: 'RestartEvent'; cmd: number }
  | { readonly type: 'ConfigLoadErrorEvent' | 'ConfigValidationErrorEvent'; error: string }
  | { readonly type: 'AddressEvent'; hostname: string; addresses: readonly string[] }
  | {
      readonly type: 'MachineStatusEvent'
      stage: MachineStage
      isReady: boolean
      unmet: readonly { name: string; reason: string }[]
    }

export type SequenceAction = 'NOOP' | 'START' | 'STOP'

export interface SequenceError {
  code: 'FATAL' | 'LOCKED' | 'CANCELED'
  message: string
}

/** Stages in the words of `MachineStatuses`. */
export type MachineStage =
  | 'unknown'
  | 'booting'
  | 'installing'
  | 'maintenance'
  | 'running'
  | 'rebooting'
  | 'shutting down'
  | 'resetting'
  | 'upgrading'

/** The last events since the boot, a bounded number of them. */
export interface EventLog {
  /** Oldest first. */
  readonly kept: readonly MachineEvent[]
  onEvent(listener: (event: MachineEvent) => void): Cancel
}
