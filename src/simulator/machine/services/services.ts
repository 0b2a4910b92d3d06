import type { Clock } from '#base/clock.ts'
import { onAbort } from '#base/on-abort.ts'
import { Listeners, untilTrue } from '#simulator/machine/listeners.ts'
import type { ServicePhase } from '#simulator/machine/service-state.ts'
import { TalosService } from './talos-service.ts'

/** Brings a service up. What still has to be done while it runs is done until it is stopped, which the signal tells. */
export type ServiceBody = (service: TalosService, signal: AbortSignal) => Promise<void>

/** Something in the way of a service that it does not get over. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure'
}

interface Entry {
  readonly service: TalosService
  /** From its start to its end. */
  run: Run | undefined
}

interface Run {
  /** Ends what its body does; there is none any more once it has nothing to do. */
  abort: AbortController | undefined
}

export interface ServicesOptions {
  readonly clock: Clock
  /** Ends all of them. */
  readonly signal: AbortSignal
  tell(service: TalosService, message: string): void
}

/** The services of one boot. */
export class Services {
  readonly changes = new Listeners()
  readonly #options: ServicesOptions
  readonly #entries = new Map<string, Entry>()

  constructor(options: ServicesOptions) {
    this.#options = options
  }

  /** By their ids, in order. */
  get list(): readonly TalosService[] {
    return [...this.#entries.values()]
      .map(({ service }) => service)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  get(id: string): TalosService | undefined {
    return this.#entries.get(id)?.service
  }

  isIn(id: string, ...phases: ServicePhase[]): boolean {
    const service = this.get(id)
    return service !== undefined && phases.includes(service.phase)
  }

  /** Whether it runs, and as well as it can be known. */
  isUp(id: string): boolean {
    return this.get(id)?.isUp ?? false
  }

  /** Whether it was started and has not ended. */
  isStarted(id: string): boolean {
    return this.#entries.get(id)?.run !== undefined
  }

  /** Makes it known, without starting it. */
  load(id: string, isChecked: boolean): TalosService {
    const known = this.get(id)
    if (known) return known
    const { clock, tell } = this.#options
    const service = new TalosService({
      ...{ id, isChecked, clock },
      tell: (changed, message) => {
        tell(changed, message)
        this.changes.tell()
      },
    })
    this.#entries.set(id, { service, run: undefined })
    return service
  }

  /** Starts what is loaded; what runs already goes on. */
  start(id: string, body: ServiceBody): void {
    const entry = this.#entries.get(id)
    if (!entry || entry.run) return
    const abort = new AbortController()
    const run: Run = { abort }
    entry.run = run
    const leave = onAbort(this.#options.signal, () => abort.abort(this.#options.signal.reason))
    entry.service.to('Starting', 'Starting service')
    const live = async () => {
      try {
        await body(entry.service, abort.signal)
      } catch (error) {
        if (abort.signal.aborted) return
        if (!(error instanceof ServiceFailure)) throw error
        entry.run = undefined
        entry.service.to('Failed', error.message)
      } finally {
        leave()
        run.abort = undefined
      }
    }
    void live()
  }

  stop(id: string, last: ServicePhase = 'Finished'): void {
    const entry = this.#entries.get(id)
    if (!entry?.run) return
    entry.service.to('Stopping', 'Sending SIGTERM to task')
    entry.run.abort?.abort(new Error('the service was stopped'))
    entry.run = undefined
    entry.service.to(last, 'Service finished successfully')
  }

  /** Resolves when all of them are up. */
  async whenUp(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const onChange = (listener: () => void) => this.changes.add(listener)
    await untilTrue(() => ids.every((id) => this.isUp(id)), signal, onChange)
  }
}
