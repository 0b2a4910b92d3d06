import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from './failure.ts'
import type { Store } from './store.ts'
import type { Expiry, Watches } from './watches.ts'

/** Whether a request is meant. The path has its query. */
type Match = (method: string, path: string) => boolean

/** Ends what was switched on. */
type Off = () => void

interface AnswerFault {
  /** Every request, unless told. */
  match?: Match
  status: number
  /** What the status usually means, unless told. */
  reason?: string
  /** Seconds. */
  retryAfter?: number
  /** How often; for ever, unless told. */
  times?: number
}

interface Parts {
  store: Store
  watches: Watches
  listen(on: boolean): Promise<unknown>
}

/** How the API is made to misbehave. Everything can be switched at any time. */
export class Faults {
  readonly #parts: Parts
  readonly #answers = new Set<AnswerFault>()
  readonly #texts = new Set<{ match: Match; text: string }>()
  readonly #delays = new Set<{ match: Match; ms: number }>()
  readonly #pageCallbacks = new Set<() => unknown>()
  #hangUps = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Refuses matching requests, before anything is done. */
  answer(fault: AnswerFault): Off {
    return including(this.#answers, { ...fault })
  }

  /** Answers matching requests with 200 and this text, whatever was asked. */
  say(match: Match, text: string): Off {
    return including(this.#texts, { match, text })
  }

  /** Serves matching requests late; with Infinity, never. */
  delay(match: Match, ms: number): Off {
    return including(this.#delays, { match, ms })
  }

  /** Calls back before each further page of a list is made. */
  betweenPages(callback: () => unknown): Off {
    return including(this.#pageCallbacks, callback)
  }

  /** Breaks the connections of the open watches. */
  dropWatches(): void {
    for (const { response } of this.#parts.watches.open) response.destroy()
  }

  /** Ends the open watches cleanly, as a server does after a while. */
  endWatches(): void {
    for (const watcher of this.#parts.watches.open) this.#parts.watches.end(watcher)
  }

  /** Keeps the connections of the open watches, and sends nothing on them ever after. */
  freezeWatches(): void {
    for (const watcher of this.#parts.watches.open) watcher.isFrozen = true
  }

  /** Each open watch misses the next event that it should get. */
  loseNextWatchEvent(): void {
    for (const watcher of this.#parts.watches.open) watcher.missesNext = true
  }

  /** Sends the text as it is on all open watches: garbage, half an event, an ERROR. */
  async sendOnWatches(text: string): Promise<void> {
    const live = [...this.#parts.watches.open].filter(({ isFrozen }) => !isFrozen)
    const sent = live.map(
      ({ response }) => new Promise<void>((resolve) => response.write(text, () => resolve())),
    )
    await Promise.all(sent)
  }

  /** Forgets the history: every version and every continue token so far is too old. */
  compact(): void {
    this.#parts.store.compact()
  }

  /** How a watch from a version that is too old is refused; as an ERROR event unless told. */
  refuseWatches(expiry: Partial<Expiry>): void {
    this.#parts.watches.expiry = { ...this.#parts.watches.expiry, ...expiry }
  }

  /** While on, nobody listens on the port, and all connections are broken. */
  async refuseConnections(on: boolean): Promise<void> {
    await this.#parts.listen(!on)
  }

  /** The next writes that succeed are done, but their answers are lost. */
  hangUpAfterWrite(times: number): void {
    this.#hangUps = times
  }

  /** For the server: waits as long as the request is to be late. Fails if it is to be refused. */
  async before(method: string, path: string): Promise<void> {
    for (const { match, ms } of this.#delays) {
      // Longer ones would overflow and be over at once.
      if (match(method, path)) await delay(Math.min(ms, 2 ** 31 - 1), undefined, { ref: false })
    }
    for (const fault of this.#answers) {
      if (!(fault.match?.(method, path) ?? true)) continue
      if (fault.times !== undefined && --fault.times <= 0) this.#answers.delete(fault)
      throw refusal(fault)
    }
    if (!/[?&]continue=[^&]/.test(path)) return
    for (const callback of this.#pageCallbacks) await callback()
  }

  /** For the server: what to say instead of an answer. */
  textFor(method: string, path: string): string | undefined {
    return [...this.#texts].find(({ match }) => match(method, path))?.text
  }

  /** For the server: whether to keep the answer of a write that succeeded to itself. */
  takeHangUp(): boolean {
    return this.#hangUps > 0 && this.#hangUps-- > 0
  }
}

function including<Item>(set: Set<Item>, item: Item): Off {
  set.add(item)
  return () => set.delete(item)
}

const refusal = ({ status, reason, retryAfter }: AnswerFault): Failure =>
  new Failure(status, 'a test wants this request to fail', {
    ...(reason && { reason }),
    details: { ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }) },
  })
