import { hash } from 'node:crypto'
import type { Store } from '#apiserver/store/store.ts'
import type { Clock } from '#base/clock.ts'
import type { TokenVerdict } from './token-verdict.ts'

interface Remembered {
  verdict: TokenVerdict
  /** When to look again, as the clock counts milliseconds. */
  until: number
  /** What it depends on, and in which state that was. */
  seen: { key: string; revision: number | undefined }[]
}

interface Accepted {
  verdict: TokenVerdict
  keys: readonly string[]
  /** Seconds since 1970. */
  expiresAt: number
}

const LONGEST_MS = 10_000
const MOST = 1000

/**
 * Verdicts about tokens of the last seconds, because verifying a signature costs as much as the rest
 * of a request. A verdict is forgotten at once when an object changes that it depends on. The tokens
 * themselves are not kept.
 */
export class RecentTokens {
  readonly #store: Store
  readonly #clock: Clock
  readonly #byHash = new Map<string, Remembered>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  find(token: string): TokenVerdict | undefined {
    const id = hash('sha256', token, 'base64')
    const found = this.#byHash.get(id)
    if (!found) return undefined
    if (found.until > this.#clock.monotonicMs() && found.seen.every(this.#isAsSeen)) {
      return found.verdict
    }
    this.#byHash.delete(id)
    return undefined
  }

  remember(token: string, { verdict, keys, expiresAt }: Accepted): void {
    const leftMs = expiresAt * 1000 - this.#clock.now().getTime()
    const seen = keys.map((key) => ({ key, revision: this.#store.get(key)?.revision }))
    const until = this.#clock.monotonicMs() + Math.min(LONGEST_MS, leftMs)
    this.#byHash.set(hash('sha256', token, 'base64'), { verdict, until, seen })
    const [oldest] = this.#byHash.keys()
    if (this.#byHash.size > MOST && oldest !== undefined) this.#byHash.delete(oldest)
  }

  readonly #isAsSeen = ({ key, revision }: Remembered['seen'][number]): boolean =>
    this.#store.get(key)?.revision === revision
}
