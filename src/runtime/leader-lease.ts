import { Lease } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import type { Clock } from '#base/clock.ts'
import { ApiError, isNotFound } from '#kube/api-error.ts'
import type { CallOptions } from '#kube/caller.ts'
import type { KubeClient } from '#kube/client.ts'

/** The longest that anybody can hold a Lease without renewing it, whatever is written in it. */
export const LONGEST_LEASE_MS = 60_000

// Kubernetes' own programs write this when they give a Lease back. No holder of ours does.
const RELEASED_SECONDS = 1

/** How the Lease is reached, and for how long it is held. */
export interface LeaseOptions {
  client: Pick<KubeClient, 'create' | 'get' | 'update'>
  clock: Clock
  namespace: string
  name: string
  identity: string
  leaseMs: number
  /** Whether a Lease that is not there is free at once. */
  freeIfAbsent: boolean
}

/** One time of holding the Lease. It tells our own record from another one with our name. */
export interface Term {
  acquireTime: string
  leaseTransitions: number
}

/**
 * The Lease as we saw it last, and since when it has been so. It is only written as long as it is
 * still so: whoever else wrote it meanwhile, or deleted it, wins.
 */
export class SeenLease {
  readonly #options: LeaseOptions
  #lease: ObjectOf<typeof Lease> | undefined
  #seenMs = 0
  #isRenewed = false

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  /** Who is written down as the holder. Empty: nobody. */
  get holder(): string {
    const { holderIdentity } = this.#spec
    return typeof holderIdentity === 'string' ? holderIdentity : ''
  }

  /**
   * Whether nobody can hold it any more: it was given back, or it has not changed for so long that
   * its holder has stopped. Only our own monotonic clock counts; the times in it are for people.
   */
  get isFree(): boolean {
    const { clock, leaseMs } = this.#options
    const { leaseDurationSeconds: seconds } = this.#spec
    if (this.holder === '' && seconds === RELEASED_SECONDS) return true
    // Who leads may have been told another duration than we were, and anybody can write nonsense.
    const promisedMs = Number.isFinite(seconds) ? Number(seconds) * 1_000 : 0
    const heldMs = Math.min(Math.max(leaseMs, promisedMs), LONGEST_LEASE_MS)
    return this.#lease !== undefined && clock.monotonicMs() - this.#seenMs >= heldMs
  }

  /** Whether somebody wrote it after we had read it: its holder was alive then, whatever the times in it say. */
  get isRenewed(): boolean {
    return this.#isRenewed
  }

  belongsTo(term: Term): boolean {
    const { acquireTime, leaseTransitions } = this.#spec
    return (
      this.holder === this.#options.identity &&
      acquireTime === term.acquireTime &&
      leaseTransitions === term.leaseTransitions
    )
  }

  /** The term that begins if we take the Lease now. */
  nextTerm(): Term {
    const { clock, identity } = this.#options
    const { leaseTransitions: count } = this.#spec
    const isCount = Number.isInteger(count) && Number(count) >= 0 && Number(count) < 2 ** 31 - 1
    const before = isCount ? Number(count) : 0
    const isChange = count !== undefined && this.holder !== identity
    return {
      acquireTime: microTime(clock.now()),
      leaseTransitions: isChange ? before + 1 : before,
    }
  }

  /** Reads it. False: there is none. */
  async read(call: CallOptions): Promise<boolean> {
    const { client, namespace, name } = this.#options
    const found = await unless(isNotFound, client.get(Lease, { namespace, name }, call))
    this.#see(found)
    return found !== undefined
  }

  /**
   * Reads it, and makes it if there is none, as one that nobody holds. Whoever held the one that is
   * gone may still believe so; as with any other, we wait until that must be over.
   */
  async readOrMake(call: CallOptions): Promise<void> {
    const { client, namespace, name, freeIfAbsent } = this.#options
    if (await this.read(call)) return
    const draft = {
      metadata: { namespace, name },
      spec: freeIfAbsent ? { leaseDurationSeconds: RELEASED_SECONDS } : {},
    }
    const made = await unless(isConflict, client.create(Lease, draft, call))
    if (made) this.#see(made)
    else await this.read(call)
  }

  /** Writes that we hold it from now on. False: it is not as we saw it, nothing was written. */
  hold(term: Term, call: CallOptions): Promise<boolean> {
    const { identity, leaseMs } = this.#options
    return this.#write(call, {
      holderIdentity: identity,
      leaseDurationSeconds: Math.max(RELEASED_SECONDS + 1, Math.ceil(leaseMs / 1_000)),
      ...term,
    })
  }

  /** Writes that nobody holds it. False: it is not as we saw it, nothing was written. */
  release(call: CallOptions): Promise<boolean> {
    return this.#write(call, {
      holderIdentity: '',
      leaseDurationSeconds: RELEASED_SECONDS,
      acquireTime: microTime(this.#options.clock.now()),
    })
  }

  async #write(call: CallOptions, fields: Spec): Promise<boolean> {
    const { client, clock } = this.#options
    const before = this.#lease
    if (!before) return false
    const renewTime = microTime(clock.now())
    const wanted = { ...before, spec: { ...before.spec, ...fields, renewTime } }
    const written = await unless(isOvertaken, client.update(Lease, wanted, call))
    if (!written) return false
    // A server that finds nothing to change keeps the version, and the others count on from it.
    if (versionOf(written) === versionOf(before) || written.spec?.renewTime !== renewTime) {
      throw new Error('the API server took the Lease and did not store it')
    }
    this.#see(written)
    return true
  }

  /**
   * Counts from the answer: between our question and it, somebody may have renewed the Lease. That
   * another one is there than before is told by its version, which no two ever share.
   */
  #see(lease: ObjectOf<typeof Lease> | undefined): void {
    if (lease !== undefined && !lease?.metadata?.resourceVersion) {
      throw new Error('the API server answered with something that is no Lease')
    }
    if (!lease || versionOf(lease) !== versionOf(this.#lease)) {
      this.#isRenewed = this.#lease !== undefined
      this.#seenMs = this.#options.clock.monotonicMs()
    }
    this.#lease = lease
  }

  get #spec(): Spec {
    return this.#lease?.spec ?? {}
  }
}

type Spec = NonNullable<ObjectOf<typeof Lease>['spec']>

const versionOf = (lease: ObjectOf<typeof Lease> | undefined): string =>
  `${lease?.metadata.uid} ${lease?.metadata.resourceVersion}`

/** What the call yields, or nothing where it is refused in this way. */
async function unless<Result>(
  isThatRefusal: (error: unknown) => boolean,
  call: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await call
  } catch (error) {
    if (isThatRefusal(error)) return undefined
    throw error
  }
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409

const isOvertaken = (error: unknown): boolean => isConflict(error) || isNotFound(error)

const microTime = (time: Date): string => time.toISOString().replace('Z', '000Z')
