import type { EventPayload, MachineStage } from './event-log.ts'

/** Derives the stage of a machine from what its sequences tell, as Talos does. */
export class Stage {
  #current: MachineStage = 'unknown'
  #sequence = ''
  #hasFailed = false

  get current(): MachineStage {
    return this.#current
  }

  /** Takes notice of an event. Whether the stage is another now. */
  see(payload: EventPayload): boolean {
    const before = this.#current
    this.#current = this.#next(payload)
    return this.#current !== before
  }

  #next(payload: EventPayload): MachineStage {
    switch (payload.type) {
      case 'SequenceEvent':
        return this.#afterSequence(payload)
      case 'PhaseEvent':
        return payload.action === 'START' ? this.#inPhase(payload.phase) : this.#current
      case 'TaskEvent':
        if (payload.task !== 'runningMaintenance') return this.#current
        return payload.action === 'START' ? 'maintenance' : 'booting'
      default:
        return this.#current
    }
  }

  #afterSequence(event: EventPayload & { type: 'SequenceEvent' }): MachineStage {
    if (event.action === 'START') {
      this.#sequence = event.sequence
      this.#hasFailed = false
      return STAGES.get(event.sequence) ?? this.#current
    }
    if (event.action === 'NOOP') return this.#afterError(event)
    return event.sequence === 'boot' && !this.#hasFailed ? 'running' : this.#current
  }

  #afterError(event: EventPayload & { type: 'SequenceEvent' }): MachineStage {
    if (event.error?.code === 'LOCKED') return this.#current
    this.#hasFailed = true
    const isFatal = event.error?.code === 'FATAL' && this.#sequence !== 'shutdown'
    return isFatal ? 'rebooting' : this.#current
  }

  #inPhase(phase: string): MachineStage {
    if (this.#sequence === 'install' && phase === 'install') return 'installing'
    return phase === 'kexec' && TO_ANOTHER.has(this.#sequence) ? 'rebooting' : this.#current
  }
}

const STAGES: ReadonlyMap<string, MachineStage> = new Map([
  ['initialize', 'booting'],
  ['boot', 'booting'],
  ['shutdown', 'shutting down'],
  ['upgrade', 'upgrading'],
  ['stageUpgrade', 'upgrading'],
  ['maintenanceUpgrade', 'upgrading'],
  ['reset', 'resetting'],
  ['reboot', 'rebooting'],
])

// Sequences after which another Talos runs.
const TO_ANOTHER = new Set(['install', 'upgrade', 'stageUpgrade', 'maintenanceUpgrade'])
