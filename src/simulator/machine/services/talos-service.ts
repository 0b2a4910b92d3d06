import type { Clock } from '#base/clock.ts'
import type { ServiceEvent, ServicePhase, ServiceState } from '#simulator/machine/service-state.ts'

const KEPT_EVENTS = 64

/** What is told of a service whenever something about it is another. */
export type ServiceListener = (service: TalosService, message: string) => void

/** One service of Talos, through one boot. */
export class TalosService implements ServiceState {
  readonly id: string
  /** Whether there is a health check for it. */
  readonly isChecked: boolean
  readonly #clock: Clock
  readonly #tell: ServiceListener
  #phase: ServicePhase = 'Initialized'
  #health: ServiceState['health']
  #events: ServiceEvent[] = []

  constructor(options: { id: string; isChecked: boolean; clock: Clock; tell: ServiceListener }) {
    this.id = options.id
    this.isChecked = options.isChecked
    this.#clock = options.clock
    this.#tell = options.tell
    this.#health = {
      isKnown: false,
      isHealthy: false,
      message: '',
      sinceMs: options.clock.now().getTime(),
    }
  }

  get phase(): ServicePhase {
    return this.#phase
  }

  get health(): ServiceState['health'] {
    return this.#health
  }

  get events(): readonly ServiceEvent[] {
    return this.#events
  }

  /** As a boot waits for it: it runs and is well, or it has ended as it should. */
  get isUp(): boolean {
    if (this.#phase === 'Running') return !this.isChecked || this.#health.isHealthy
    return this.#phase === 'Finished' || this.#phase === 'Skipped'
  }

  to(phase: ServicePhase, message: string): void {
    this.#phase = phase
    if (phase !== 'Running' && this.#health.isKnown) this.#setHealth(false, 'service not running')
    this.#add(message)
  }

  /** The result of a health check. Not told again if it is the same. */
  checked(isHealthy: boolean, problem = ''): void {
    if (this.#phase !== 'Running') return
    const { isKnown, isHealthy: was, message } = this.#health
    if (isKnown && was === isHealthy && message === problem) return
    this.#setHealth(isHealthy, problem)
    this.#add(isHealthy ? 'Health check successful' : `Health check failed: ${problem}`)
  }

  #setHealth(isHealthy: boolean, message: string): void {
    this.#health = { isKnown: true, isHealthy, message, sinceMs: this.#clock.now().getTime() }
  }

  #add(message: string): void {
    this.#events.push({ phase: this.#phase, message, atMs: this.#clock.now().getTime() })
    if (this.#events.length > KEPT_EVENTS) this.#events.shift()
    this.#tell(this, message)
  }
}
