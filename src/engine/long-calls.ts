import type { Clock } from '#base/clock.ts'
import { onAbort } from '#base/on-abort.ts'
import { type Outcome, outcomeOf } from '#talos/outcome.ts'
import { Slots } from '#talos/slots.ts'

/** What takes minutes, and for which no pass waits. */
export type LongCall = { readonly what: string } & (
  | { readonly is: 'under way' }
  | { readonly is: 'done'; readonly result: string }
  | { readonly is: 'failed'; readonly failure: Failure; readonly at: Date }
)

/** Why it failed. Without an outcome: not by the machine. */
interface Failure {
  readonly message: string
  readonly outcome: Outcome | undefined
}

/** Whether the machine said no because it is still at what it was asked for before. */
export const isStillAtIt = ({ failure }: Extract<LongCall, { is: 'failed' }>): boolean =>
  failure.outcome === 'not-ready' && failure.message.includes('already in progress')

type Work = (signal: AbortSignal) => Promise<string>

// Each has a connection of its own, of 100 KB; and a registry that a whole fleet asks at once is asked in vain.
const MOST_AT_ONCE = 64

/**
 * Calls that go on while nobody waits for them, one for each key. They end with the process: whoever comes after it looks
 * at the machine, and begins them anew.
 */
export class LongCalls {
  readonly #clock: Clock
  readonly #calls = new Map<string, { call: LongCall; stop: AbortController }>()
  readonly #slots = new Slots({ atOnce: MOST_AT_ONCE, perGroup: MOST_AT_ONCE })
  #term: AbortSignal | undefined
  /** Told of each that has ended. */
  onEnd: (key: string) => void = () => undefined

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  /** From now on until the signal aborts, calls may begin; then all end. A process that leads again begins another term. */
  during(term: AbortSignal): void {
    this.#term = term
    onAbort(term, () => {
      for (const key of [...this.#calls.keys()]) this.forget(key)
    })
  }

  /** Where the call of this key is; undefined if there is none. */
  of(key: string): LongCall | undefined {
    return this.#calls.get(key)?.call
  }

  /** Begins, in the place of whatever was under way for the key. Said again while it goes on, it does nothing. */
  begin(key: string, what: string, work: Work): void {
    const known = this.of(key)
    if (this.#term?.aborted || (known?.what === what && known.is === 'under way')) return
    this.forget(key)
    const stop = new AbortController()
    this.#calls.set(key, { call: { what, is: 'under way' }, stop })
    const end = (call: LongCall) => {
      if (this.#calls.get(key)?.stop !== stop) return
      this.#calls.set(key, { call, stop })
      this.onEnd(key)
    }
    this.#inTurn(work, stop.signal).then(
      (result) => end({ what, is: 'done', result }),
      (error: unknown) =>
        end({ what, is: 'failed', failure: failureIn(error), at: this.#clock.now() }),
    )
  }

  async #inTurn(work: Work, signal: AbortSignal): Promise<string> {
    const done = await this.#slots.take('', signal)
    return work(signal).finally(done)
  }

  /** Ends what is under way for a key, and what is known of it. */
  forget(key: string): void {
    this.#calls.get(key)?.stop.abort()
    this.#calls.delete(key)
  }
}

const failureIn = (error: unknown): Failure => ({
  message: error instanceof Error ? error.message : String(error),
  outcome: outcomeOf(error),
})
