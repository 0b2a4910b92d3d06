import type { EventPayload, SequenceAction, SequenceError } from '#simulator/machine/event-log.ts'
import { Restart, SequenceFailure } from './restart.ts'
import type { SequenceName } from './sequence-name.ts'

export type SequenceBody = (run: SequenceRun) => Promise<void>

/** One thing to do, with its name among the events. */
export type Task = readonly [name: string, act: () => void | Promise<void>]

export interface SequenceRunOptions {
  readonly name: SequenceName
  readonly signal: AbortSignal
  tell(payload: EventPayload): void
}

/** A sequence while it runs: it tells of its phases and tasks. */
export class SequenceRun {
  readonly signal: AbortSignal
  readonly #name: SequenceName
  readonly #tell: (payload: EventPayload) => void
  #phases = 0

  constructor({ name, signal, tell }: SequenceRunOptions) {
    this.#name = name
    this.signal = signal
    this.#tell = tell
  }

  tellSequence(action: SequenceAction, error?: SequenceError): void {
    const event = { type: 'SequenceEvent', sequence: this.#name, action } as const
    this.#tell(error ? { ...event, error } : event)
  }

  /** Its tasks happen at the same time; the next phase begins when all are done. */
  async phase(name: string, ...tasks: Task[]): Promise<void> {
    const number = ++this.#phases
    this.#tell({ type: 'PhaseEvent', phase: name, action: 'START' })
    try {
      await Promise.all(
        tasks.map((task, index) => this.#task(task, `${index + 1}/${tasks.length}`)),
      )
    } catch (error) {
      if (!(error instanceof SequenceFailure)) throw error
      throw new SequenceFailure(
        `error running phase ${number} in ${this.#name} sequence: ${error.message}`,
      )
    }
    this.#tell({ type: 'PhaseEvent', phase: name, action: 'STOP' })
    this.signal.throwIfAborted()
  }

  async #task([name, act]: Task, progress: string): Promise<void> {
    this.#tell({ type: 'TaskEvent', task: name, action: 'START' })
    try {
      await act()
    } catch (error) {
      if (error instanceof Restart || !(error instanceof SequenceFailure)) throw error
      throw new SequenceFailure(`task ${progress}: failed, ${error.message}`)
    }
    this.#tell({ type: 'TaskEvent', task: name, action: 'STOP' })
  }
}
