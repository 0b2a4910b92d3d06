import { type Clock, sleep } from '#base/clock.ts'
import { withDeadline } from '#base/deadline.ts'
import { onAbort } from '#base/on-abort.ts'
import { ApiError } from '#kube/api-error.ts'
import type { CallOptions } from '#kube/caller.ts'
import { Leadership, type LeadershipOptions, type LeadershipState } from '#runtime/leader.ts'
import type { FakeClock } from '#test/fake-clock.ts'
import type { PretendLeases } from './pretend-leases.ts'

/** How the calls of a process fare from now on. */
export interface Network {
  /** How long a call takes to the server, and its answer back. */
  thereMs: number
  backMs: number
  /** Refused by the server, never there, or done and never answered. */
  fault?: 'refused' | 'dropped' | 'answerLost'
  /** The status of a refusal. */
  status?: number
}

export const GOOD: Network = { thereMs: 1, backMs: 1 }

export interface PretendOptions extends Partial<Omit<LeadershipOptions, 'identity' | 'client'>> {
  /** How calls fare from the first one on. */
  network?: Network
  /** How long leading takes to end after it was asked to. */
  drainMs?: number
  /** Instead of leading until the signal aborts. */
  lead?: (signal: AbortSignal) => Promise<void>
}

interface Surroundings {
  time: FakeClock
  leases: PretendLeases
  /** Called whenever a process heard something and what it did at once is done. */
  afterEach?: () => void
}

/**
 * A process that stands for election. Time is everybody's, but it can be stopped: then its timers do
 * not ring and answers are not heard, until it continues.
 */
export class PretendProcess {
  readonly leadership: Leadership
  readonly states: LeadershipState[] = []
  /** Settles when it has ended. */
  readonly running: Promise<void>
  network: Network
  /** When each call was made, and what it was. */
  readonly calls: { atMs: number; verb: string }[] = []
  /** How often it began to lead, and whether it does. */
  timesLed = 0
  leads = false

  readonly #time: FakeClock
  readonly #leases: PretendLeases
  readonly #drainMs: number
  readonly #afterEach: () => void
  readonly #end = new AbortController()
  #jumpMs = 0
  /** What it has missed since it was stopped. */
  #missed: (() => void)[] | undefined

  constructor(
    identity: string,
    { time, leases, afterEach = () => {} }: Surroundings,
    { drainMs = 0, network = GOOD, lead, ...options }: PretendOptions = {},
  ) {
    this.network = network
    this.#time = time
    this.#leases = leases
    this.#drainMs = drainMs
    this.#afterEach = afterEach
    this.leadership = new Leadership({
      ...{ identity, namespace: 'ns', name: 'lease', client: this.#client, clock: this.#clock },
      random: () => 0.5,
      onState: (state) => this.states.push(state),
      ...options,
    })
    this.running = this.leadership.run(this.#end.signal, lead ?? ((one) => this.#lead(one)))
    this.running.catch(() => {}) // whoever waits for it is told
  }

  get holds(): boolean {
    return this.leadership.holds
  }

  get isToEnd(): boolean {
    return this.#end.signal.aborted
  }

  /** What it told, in words. */
  get told(): string[] {
    return this.states.map(({ state }) => state)
  }

  stop(): void {
    this.#missed ??= []
  }

  /** It hears what it has missed: the oldest first, or the newest. */
  continue(first: 'oldest' | 'newest' = 'oldest'): void {
    const missed = this.#missed ?? []
    this.#missed = undefined
    if (first === 'newest') missed.reverse()
    for (const callback of missed) this.#time.after(0, () => this.#hear(callback))
  }

  /** Asks it to end. */
  end(): void {
    this.#end.abort(new Error('the end'))
  }

  /** Its time of day jumps. */
  jump(ms: number): void {
    this.#jumpMs += ms
  }

  /** Rings with the rest of the world, or when it is there again. */
  #hear(callback: () => void): void {
    if (this.#missed) return void this.#missed.push(callback)
    callback()
    this.#time.after(0, this.#afterEach)
  }

  readonly #clock: Clock = {
    now: () => new Date(this.#time.now().getTime() + this.#jumpMs),
    monotonicMs: () => this.#time.monotonicMs(),
    after: (delayMs, callback) => {
      let isCancelled = false
      const cancel = this.#time.after(delayMs, () => this.#hear(() => isCancelled || callback()))
      return () => {
        isCancelled = true
        cancel()
      }
    },
  }

  readonly #client: LeadershipOptions['client'] = {
    get: (_kind, _ref, options) => this.#call('get', options, () => this.#leases.get()),
    create: (_kind, object, options) =>
      this.#call('create', options, () => this.#leases.create(object)),
    update: (_kind, object, options) =>
      this.#call('update', options, () => this.#leases.update(object)),
  }

  /** Any kind of object is what JSON makes of it. */
  async #call(verb: string, options: CallOptions = {}, serve: () => object) {
    this.calls.push({ atMs: this.#time.monotonicMs(), verb })
    const { deadlineMs = 30_000, signal } = options
    const answer = await withDeadline(
      { clock: this.#clock, deadlineMs, ...(signal && { signal }) },
      (limit) =>
        new Promise<object>((resolve, reject) => {
          onAbort(limit, () => reject(limit.reason))
          this.#send(serve, (answer) =>
            answer instanceof Error ? reject(answer) : resolve(answer),
          )
        }),
    )
    return JSON.parse(JSON.stringify(answer))
  }

  #send(serve: () => object, hear: (answer: object) => void): void {
    const { thereMs, backMs, fault, status = 500 } = this.network
    if (fault === 'dropped') return
    const answer = (): object => {
      try {
        if (fault === 'refused') throw new ApiError('refused', { status, reason: 'Refused' })
        const served = serve()
        return fault === 'answerLost' ? new ApiError('lost', { status: 0, reason: 'Lost' }) : served
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error))
      }
    }
    this.#time.after(thereMs, () => {
      const given = answer()
      this.#time.after(backMs, () => this.#hear(() => hear(given)))
    })
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.timesLed++
    this.leads = true
    await new Promise<void>((resolve) => onAbort(signal, resolve))
    await sleep(this.#clock, this.#drainMs)
    this.leads = false
  }
}
