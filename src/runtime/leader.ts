import { Lease } from '#api/foreign.ts'
import { delayMs } from '#base/backoff.ts'
import { sleep } from '#base/clock.ts'
import { forwardAbort, withDeadline } from '#base/deadline.ts'
import { messageOf, OperatorError } from '#base/operator-error.ts'
import { untilAborted } from '#base/share-runs.ts'
import { ApiError } from '#kube/api-error.ts'
import type { CallOptions } from '#kube/caller.ts'
import { type LeaseOptions, LONGEST_LEASE_MS, SeenLease, type Term } from './leader-lease.ts'

/** What becomes of the election, for logs and metrics. */
export type LeadershipState =
  /** Somebody else leads; told when that changes. Empty: nobody, until a lost Lease has run out. */
  | { state: 'standby'; leader: string }
  | { state: 'leading' }
  /** We may no longer act, and did not want to stop. */
  | { state: 'lost'; why: string }
  /** We gave the Lease back, so that the next one need not wait. */
  | { state: 'released' }
  /** A call did not work, and is tried again. */
  | { state: 'failed'; error: unknown }

interface Timing {
  /** How long the others leave a Lease alone that does not change. */
  leaseMs: number
  /** How long we hold it after it was written. The rest is what protects us from each other. */
  renewWithinMs: number
  retryMs: number
}

const USUAL: Timing = { leaseMs: 15_000, renewWithinMs: 10_000, retryMs: 2_000 }

export interface LeadershipOptions
  extends Omit<LeaseOptions, 'identity' | 'leaseMs' | 'freeIfAbsent'> {
  /** Who we are: no other process ever has this name, not even this one after a restart. */
  identity: string
  timing?: Partial<Timing>
  /**
   * Takes a Lease that is not there at once. Only for an API that nobody else can have used, as
   * elsewhere it may have been deleted under a leader, which learns of it a moment later.
   */
  freeIfAbsent?: boolean
  onState?: (state: LeadershipState) => void
  /** Yields 0 to 1, so that those who stand by do not all knock at once. */
  random?: () => number
}

const NEVER = Number.NEGATIVE_INFINITY

/**
 * Sees to it that of several processes one acts, by a Lease. A leader stops before anybody else can
 * begin: it counts from before it asked, the others from when they saw the answer, and longer.
 */
export class Leadership {
  readonly #options: LeadershipOptions
  readonly #timing: Timing
  readonly #lease: SeenLease
  #heldUntilMs = NEVER
  /** Set from when we ask for the Lease until we know that it is not ours. */
  #term: Term | undefined
  #toldLeader: string | undefined

  constructor(options: LeadershipOptions) {
    // Whoever has no name cannot be told from nobody.
    if (options.identity === '') throw new Error('who stands for election needs an identity')
    this.#options = options
    this.#timing = checked({ ...USUAL, ...options.timing })
    const { leaseMs } = this.#timing
    this.#lease = new SeenLease({ freeIfAbsent: false, ...options, leaseMs })
  }

  /** Whether we may act at this moment, even if we were stopped for long and no timer has rung yet. */
  get holds(): boolean {
    return this.#nowMs() < this.#heldUntilMs
  }

  /**
   * Waits until we lead, then leads, with a signal that aborts when we may no longer act or are to
   * stop; when that has ended, stands for election again. What leading throws ends it, other than
   * the signal's reason. Ends with the signal: the Lease is held until leading has ended, and given
   * back. Call it once.
   */
  async run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#stand(signal)
        if (!signal.aborted) await this.#serve(signal, lead)
      } finally {
        await this.#release()
      }
      // Those who have waited come first.
      await this.#pause(1, signal)
    }
  }

  /** Resolves when we hold the Lease, or the signal aborts. */
  async #stand(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      try {
        if (await this.#take(signal)) return
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures++
        this.#tellFailure(error)
      }
      await this.#pause(Math.max(1, failures), signal)
    }
  }

  /** Takes the Lease if it is free. */
  async #take(signal: AbortSignal): Promise<boolean> {
    await this.#lease.readOrMake(this.#call(signal))
    // Ours, if the answer was lost that would have told us so.
    const isOurs = this.#term && this.#lease.belongsTo(this.#term)
    if (!isOurs && !this.#lease.isFree) {
      this.#tellLeader(this.#lease.holder)
      return false
    }
    const term = this.#lease.nextTerm()
    this.#term = term
    const sentMs = this.#nowMs()
    const isTaken = await this.#lease.hold(term, this.#call(signal))
    if (isTaken) this.#heldUntilMs = sentMs + this.#timing.renewWithinMs
    else this.#term = undefined
    return isTaken && this.holds
  }

  async #serve(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const mayAct = new AbortController()
    const ended = new AbortController()
    const unlink = forwardAbort(signal, mayAct)
    this.#toldLeader = undefined
    this.#tell({ state: 'leading' })
    const renewing = this.#renewUntil(ended.signal, (why) => {
      this.#tell({ state: 'lost', why })
      mayAct.abort(new OperatorError('LeadershipLost', { message: `no longer leading: ${why}` }))
    })
    try {
      await lead(mayAct.signal)
    } catch (error) {
      const isAnAnswer = mayAct.signal.aborted && error === mayAct.signal.reason
      if (!isAnAnswer) throw error
    } finally {
      ended.abort()
      unlink()
      await renewing
    }
  }

  /** Renews the Lease again and again, until leading has ended or the Lease is lost. */
  async #renewUntil(ended: AbortSignal, onLost: (why: string) => void): Promise<void> {
    const { clock } = this.#options
    let why: string | undefined
    while (why === undefined && this.holds) {
      const leftMs = this.#heldUntilMs - this.#nowMs()
      try {
        why = await withDeadline({ clock, deadlineMs: leftMs, signal: ended }, (limit) =>
          // Also if a call does not care about its signal: time is up when it is up.
          untilAborted(this.#tryToRenew(limit), limit),
        )
      } catch {
        if (ended.aborted) return
        break
      }
    }
    this.#heldUntilMs = NEVER
    onLost(why ?? 'the Lease could not be renewed in time')
  }

  /** After a while renews the Lease, or learns why that is over. */
  async #tryToRenew(limit: AbortSignal): Promise<string | undefined> {
    await this.#pause(1, limit)
    try {
      if (await this.#renew(limit)) return undefined
      await this.#lease.readOrMake(this.#call(limit))
      limit.throwIfAborted()
      const { holder } = this.#lease
      // While we hold it, one that nobody holds is as good as ours: the old one is gone.
      const isOurs = this.#term && this.#lease.belongsTo(this.#term)
      if (!isOurs && holder !== '') return `the Lease is now held by ${holder}`
      await this.#renew(limit)
    } catch (error) {
      limit.throwIfAborted()
      this.#tellFailure(error)
    }
    return undefined
  }

  async #renew(limit: AbortSignal): Promise<boolean> {
    limit.throwIfAborted()
    const term = this.#term
    const sentMs = this.#nowMs()
    const isWritten = term !== undefined && (await this.#lease.hold(term, this.#call(limit)))
    // An answer that comes when our time is up does not bring it back.
    const isInTime = this.holds && !limit.aborted
    if (isWritten && isInTime) this.#heldUntilMs = sentMs + this.#timing.renewWithinMs
    return isWritten
  }

  /** Gives the Lease back if it is ours, which a call that failed may have left open. */
  async #release(): Promise<void> {
    const { clock } = this.#options
    const term = this.#term
    this.#term = undefined
    this.#heldUntilMs = NEVER
    if (!term) return
    try {
      await withDeadline({ clock, deadlineMs: this.#callMs }, async (limit) => {
        const call = this.#call(limit)
        let isReleased = false
        while (!isReleased) {
          if (!(await this.#lease.read(call)) || !this.#lease.belongsTo(term)) return
          isReleased = await this.#lease.release(call)
        }
        this.#tell({ state: 'released' })
      })
    } catch (cause) {
      const message = `could not give the Lease back, it has to run out: ${messageOf(cause)}`
      this.#tellFailure(new Error(message, { cause }))
    }
  }

  /** A call that hangs leaves time for another one before the Lease is lost. */
  get #callMs(): number {
    return this.#timing.renewWithinMs / 2
  }

  #call(signal: AbortSignal): CallOptions {
    return { signal, deadlineMs: this.#callMs, priority: 'lease' }
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs()
  }

  async #pause(failures: number, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options
    const { retryMs, leaseMs } = this.#timing
    const backoff = { firstMs: retryMs, mostMs: leaseMs, jitter: 0.5 }
    await sleep(clock, delayMs(backoff, failures, random), signal).catch(() => {})
  }

  #tellLeader(leader: string): void {
    if (leader === this.#toldLeader) return
    this.#toldLeader = leader
    this.#tell({ state: 'standby', leader })
  }

  #tellFailure(error: unknown): void {
    const isForbidden = error instanceof ApiError && error.status === 403
    this.#tell({ state: 'failed', error: isForbidden ? this.#withRemedy(error) : error })
  }

  #withRemedy(cause: ApiError): ApiError {
    const { namespace } = this.#options
    const rule = `verbs get, create and update on ${Lease.plural} of ${Lease.group}`
    const message = `${cause.message}; to be elected we need the ${rule} in namespace ${namespace}`
    return new ApiError(message, { status: cause.status, reason: cause.reason, cause })
  }

  #tell(state: LeadershipState): void {
    try {
      this.#options.onState?.(state)
    } catch {
      // Whoever is told is also who would be told of this.
    }
  }
}

function checked(timing: Timing): Timing {
  const { leaseMs, renewWithinMs, retryMs } = timing
  const isSafe = leaseMs <= LONGEST_LEASE_MS && renewWithinMs < leaseMs
  if (!isSafe || !(retryMs > 0) || !(renewWithinMs > retryMs)) {
    const order = `0 < retryMs < renewWithinMs < leaseMs ≤ ${LONGEST_LEASE_MS}`
    throw new Error(
      `a leader that is timed ${JSON.stringify(timing)} is not safe; needed: ${order}`,
    )
  }
  return timing
}
