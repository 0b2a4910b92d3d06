import { type Clock, sleep } from '#base/clock.ts'
import type { Duration } from '#base/duration.ts'
import { problem } from '#base/problem.ts'
import { type FollowOptions, followUpgrade, notFollowed, timeIsUp } from './upgrade-k8s-follow.ts'
import type { Leader, Leases } from './upgrade-k8s-leases.ts'
import type { Work } from './upgrade-k8s-work.ts'

interface CarryOutOptions {
  /** `TalosControlPlane default/demo`. */
  readonly what: string
  readonly to: string
  /** Sees to it that it is asked for. Called when there is somebody who acts on it. */
  readonly ask: () => Promise<void>
  readonly look: FollowOptions['look']
  /** Whether all is said that there is to say of it, when it is there. */
  readonly isCalm: () => Promise<boolean>
  readonly leases: Pick<Leases, 'look' | 'words'>
  /** Begins to do the operator's work in this process. */
  readonly startWork: () => Promise<Work>
  readonly clock: Clock
  readonly timeout: Duration
  readonly signal: AbortSignal
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

type CarriedOutBy = FollowOptions['by']

const LOOK_EVERY_MS = 1_000
// An operator renews its Lease every two or three seconds, as it is usually set.
const RENEWED_WITHIN_MS = 5_000
// An operator that is started anew, or stands by, comes first: while a command leads, all other clusters are left alone.
const GRACE_MS = { atFirst: 10_000, inTheMiddle: 60_000 }
const CALM_WITHIN_MS = 60_000

/**
 * Sees to it that an upgrade is carried out: by the operator that leads, which is then followed, or by this process where none does. Each
 * takes over from the other. Rejects with a problem for people if it is not well.
 */
export function carryOut(options: CarryOutOptions): Promise<void> {
  return new CarryingOut(options).run()
}

class CarryingOut {
  readonly #options: CarryOutOptions
  readonly #endMs: number
  #by: CarriedOutBy = 'operator'
  #isAsked = false

  constructor(options: CarryOutOptions) {
    this.#options = options
    this.#endMs = options.clock.monotonicMs() + options.timeout.ms
  }

  async run(): Promise<void> {
    const { signal } = this.#options
    try {
      while (!(await this.#runOnce())) signal.throwIfAborted()
    } catch (error) {
      // Whatever it was in the middle of.
      throw signal.aborted ? notFollowed({ ...this.#options, by: this.#by }) : error
    }
  }

  /** False: it is for somebody else to go on. */
  async #runOnce(): Promise<boolean> {
    const leader = await this.#whenKnown()
    const isOurs = leader.is === 'nobody' || leader.is === 'busy'
    this.#by = isOurs ? 'command' : 'operator'
    return isOurs ? this.#work(leader) : this.#follow(leader)
  }

  /**
   * Who leads. Whoever is only written down is given the time to show that they are alive, and where nobody is, somebody the time to
   * begin.
   */
  async #whenKnown(): Promise<Leader> {
    const { leases, clock, signal, out } = this.#options
    const graceMs = this.#isAsked ? GRACE_MS.inTheMiddle : GRACE_MS.atFirst
    const startMs = clock.monotonicMs()
    const told = new Set<Leader['is']>()
    for (;;) {
      const leader = await leases.look(signal)
      const forMs = clock.monotonicMs() - startMs
      const isKnown = leader.is === 'nobody' ? forMs >= graceMs : leader.is !== 'silent'
      if (isKnown) return leader
      const line = waitingFor(leader, { forMs, graceMs, lease: leases.words })
      if (line && !told.has(leader.is)) {
        told.add(leader.is)
        out(line)
      }
      await this.#pause()
    }
  }

  async #follow(leader: Leader): Promise<boolean> {
    const { leases, signal, err } = this.#options
    if (leader.is === 'hidden') err(`${unseen(leader.why).message}\n`)
    await this.#askOnce()
    const isCarriedOn = async () => {
      const { is } = await leases.look(signal)
      return is !== 'nobody' && is !== 'busy'
    }
    const end = await followUpgrade({ ...this.#following, isCarriedOn })
    return end === 'there'
  }

  async #work(leader: Leader): Promise<boolean> {
    const { leases, signal, out } = this.#options
    out(
      leader.is === 'busy'
        ? `${leader.holder} works for another cluster: waiting until it has ended\n`
        : 'no operator leads: this command does the work, for this cluster alone\n',
    )
    await using work = await this.#options.startWork()
    const isCarriedOn = async () => work.isWorking || (await leases.look(signal)).is !== 'leading'
    if (!(await this.#hasBegun(work, isCarriedOn))) return false
    await this.#askOnce()
    const end = await followUpgrade({ ...this.#following, isCarriedOn })
    if (end === 'there') await this.#calm()
    return end === 'there'
  }

  /** Waits until the work has begun. False: somebody else does it. */
  async #hasBegun(work: Work, isCarriedOn: () => Promise<boolean>): Promise<boolean> {
    while (!work.isWorking) {
      if (!(await isCarriedOn())) return false
      await this.#pause()
    }
    return true
  }

  async #askOnce(): Promise<void> {
    if (!this.#isAsked) await this.#options.ask()
    this.#isAsked = true
  }

  /** Nobody goes on saying how things are when this process has ended. */
  async #calm(): Promise<void> {
    const { clock, isCalm } = this.#options
    const endMs = Math.min(clock.monotonicMs() + CALM_WITHIN_MS, this.#endMs)
    while (clock.monotonicMs() < endMs && !(await isCalm())) await this.#pause()
  }

  async #pause(): Promise<void> {
    const { clock, signal } = this.#options
    if (clock.monotonicMs() >= this.#endMs) throw timeIsUp({ ...this.#options, by: this.#by })
    await sleep(clock, LOOK_EVERY_MS, signal)
  }

  get #following() {
    return { ...this.#options, by: this.#by, endMs: this.#endMs }
  }
}

/** What is waited for. Undefined: it is too early to say. */
function waitingFor(
  leader: Leader,
  { forMs, graceMs, lease }: { forMs: number; graceMs: number; lease: string },
): string | undefined {
  if (leader.is === 'nobody') {
    return `nobody leads by the Lease ${lease}: an operator is given ${graceMs / 1_000} s to begin\n`
  }
  return leader.is === 'silent' && forMs >= RENEWED_WITHIN_MS
    ? `${leader.holder} holds the Lease ${lease}, and has not renewed it: waiting until it does, or the Lease has run out\n`
    : undefined
}

const unseen = (why: string): Error =>
  problem({
    what: 'it cannot be seen whether an operator leads, so one is taken for granted',
    why,
    remedy:
      'let this account get the Lease of the operator, and say where it is with --leader-election-namespace',
  })
