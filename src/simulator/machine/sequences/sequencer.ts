import type { EventPayload } from '#simulator/machine/event-log.ts'
import { Restart, type RestartKind, SequenceFailure } from './restart.ts'
import { canTakeOver, type SequenceName } from './sequence-name.ts'
import { type SequenceBody, SequenceRun } from './sequence-run.ts'

export interface SequencerOptions {
  /** Ends whatever runs: the machine has no power any more. */
  readonly signal: AbortSignal
  tell(payload: EventPayload, actorId: string): void
  /** A sequence has ended with this. */
  restart(kind: RestartKind): void
  /** A sequence has failed: the machine is to boot again. */
  fail(): void
}

export interface StartOptions {
  readonly actorId?: string
  /** Begins whatever else runs. */
  readonly takesOver?: boolean
}

interface Running {
  readonly name: SequenceName
  readonly abort: AbortController
  readonly ended: Promise<boolean>
}

/** Runs one sequence at a time. */
export class Sequencer {
  readonly #options: SequencerOptions
  #running: Running | undefined

  constructor(options: SequencerOptions) {
    this.#options = options
  }

  get running(): SequenceName | undefined {
    return this.#running?.name
  }

  /** Runs it, unless another is in the way, which is told as an event. Whether it came to its end. */
  run(name: SequenceName, body: SequenceBody, options: StartOptions = {}): Promise<boolean> {
    const { actorId = '', takesOver = false } = options
    const before = this.#running
    if (before && !takesOver && !canTakeOver(before.name, name)) {
      const error = { code: 'LOCKED', message: 'sequence not started: locked' } as const
      this.#tell({ type: 'SequenceEvent', sequence: name, action: 'NOOP', error }, actorId)
      return Promise.resolve(false)
    }
    before?.abort.abort(new Error('context canceled'))
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, this.#options.signal])
    const run = new SequenceRun({ name, signal, tell: (event) => this.#tell(event, actorId) })
    const ended = this.#perform(run, body, before?.ended)
    const running = { name, abort, ended }
    this.#running = running
    return ended.finally(() => {
      if (this.#running === running) this.#running = undefined
    })
  }

  async #perform(
    run: SequenceRun,
    body: SequenceBody,
    before: Promise<boolean> | undefined,
  ): Promise<boolean> {
    await before
    if (run.signal.aborted) return false
    run.tellSequence('START')
    try {
      await body(run)
      run.tellSequence('STOP')
      return true
    } catch (error) {
      if (this.#options.signal.aborted) return false
      this.#ended(run, error)
      return false
    }
  }

  #ended(run: SequenceRun, error: unknown): void {
    if (error instanceof Restart) {
      run.tellSequence('STOP')
      this.#options.restart(error.kind)
      return
    }
    const isCanceled = run.signal.aborted
    if (!isCanceled && !(error instanceof SequenceFailure)) throw error
    const reason = error instanceof Error ? error.message : ''
    run.tellSequence('NOOP', {
      code: isCanceled ? 'CANCELED' : 'FATAL',
      message: `sequence failed: ${reason}`,
    })
    run.tellSequence('STOP')
    if (!isCanceled) this.#options.fail()
  }

  #tell(payload: EventPayload, actorId: string): void {
    this.#options.tell(payload, actorId)
  }
}
