import { shareRuns } from '#base/share-runs.ts'
import type { Lease, Leases } from './connections.ts'
import { type MachineTarget, wordsFor } from './machine-target.ts'
import { MachineError } from './outcome.ts'

/**
 * Lends one connection to one machine and never another: the one that whoever comes first is given. Once
 * that is gone, whoever comes is told that nothing was asked.
 */
export class OneConnection implements Leases {
  readonly #leases: Leases
  /** Keeps it from being closed between two calls. */
  #first: Lease | undefined
  #isOver = false
  #take: ((signal: AbortSignal) => Promise<Lease>) | undefined

  constructor(leases: Leases) {
    this.#leases = leases
  }

  ready(): Lease | undefined {
    return this.#isOver ? undefined : this.#first?.again()
  }

  async lease(target: MachineTarget, signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted()
    this.#take ??= shareRuns((untilNobodyWaits) => this.#takeFirst(target, untilNobodyWaits))
    const first = this.#first ?? (await this.#take(signal))
    const lease = this.#isOver ? undefined : first.again()
    if (lease) return lease
    throw new MachineError({
      message: `the connection to ${wordsFor(target)} is gone, and another one may lead to another machine: it was asked nothing more`,
      outcome: 'unreachable',
    })
  }

  /** It is not lent any more, and others may have it closed; or it is, unless somebody else uses it. */
  end({ forGood, isNone }: { forGood: boolean; isNone: boolean }): void {
    this.#isOver = true
    if (isNone) this.#first?.distrust()
    if (forGood) this.#first?.releaseForGood()
    else this.#first?.release()
  }

  async #takeFirst(target: MachineTarget, signal: AbortSignal): Promise<Lease> {
    const lease = await this.#leases.lease(target, signal)
    // Whoever asked for it may have left, and another one may have been first since.
    if (this.#isOver || this.#first) lease.release()
    this.#first ??= lease
    return this.#first
  }
}
