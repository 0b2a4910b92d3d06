import type { ApiSeen, Silence } from './cluster-nodes-seen.ts'

/**
 * What is said of an API server, so that it does not flap: connections break now and then, so that the
 * first failure after an answer is not told; and other words for a silence count when they come twice.
 */
export class ApiStanding {
  #seen: ApiSeen = { is: 'connecting' }
  /** Since the last answer. */
  #failing: { since: Date; last: string } | undefined
  #isHeard = false

  get seen(): ApiSeen {
    return this.#seen
  }

  /** It answered. Returns whether that is news. */
  answered(version: string): boolean {
    const isNews = this.#seen.is !== 'answering' || this.#seen.version !== version
    if (isNews) this.#seen = { is: 'answering', version }
    this.#failing = undefined
    this.#isHeard = true
    return isNews
  }

  /** It did not. Returns whether that is news. */
  failed(silence: Silence, now: Date): boolean {
    const words = `${silence.reason} ${silence.message}`
    const before = this.#failing
    this.#failing = { since: before?.since ?? now, last: words }
    if (this.#seen.is === 'answering' && !before) return false
    if (this.#seen.is === 'silent') {
      const isSaid = this.#seen.message === silence.message && this.#seen.reason === silence.reason
      if (isSaid || before?.last !== words) return false
    }
    const { since } = this.#failing
    this.#seen = { is: 'silent', since, ...(!this.#isHeard && { isUnheard: true }), ...silence }
    return true
  }
}
