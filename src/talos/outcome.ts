import type { ErrorCode } from '#base/error-catalogue.ts'
import { OperatorError } from '#base/operator-error.ts'
import { status } from './status.ts'

/**
 * What became of a call that did not succeed, as far as a plan has to know:
 * `unreachable`: nothing was asked. `wrong-identity`: nothing was asked, because it is not the machine
 * that we mean, or not in the state that we mean. `not-ready`: it said "not yet". `already-done`: what
 * was asked for is so. `absent`: there is no such thing. `not-supported`: it has no such call.
 * `refused`: it said no, and why. `lost`: it was asked, and nobody knows what it did.
 */
export type Outcome =
  | 'unreachable'
  | 'wrong-identity'
  | 'not-ready'
  | 'already-done'
  | 'absent'
  | 'not-supported'
  | 'refused'
  | 'lost'

/** Who it is instead. */
export type Mismatch =
  /** Its certificate is of another authority, and it has a configuration. */
  | 'another-cluster'
  /** It should be of the cluster, and waits for a configuration. */
  | 'in-maintenance'
  /** It should wait for a configuration, and has one. */
  | 'not-in-maintenance'
  /** Its key is not the one that was pinned. */
  | 'another-key'
  /** It is of the cluster, and its certificate is not for the address that was dialled. */
  | 'another-address'

interface Details {
  message: string
  outcome: Outcome
  mismatch?: Mismatch
  /** The gRPC status, where the machine answered with one. */
  status?: number
  cause?: unknown
}

const CODES: Record<Outcome, ErrorCode> = {
  unreachable: 'MachineUnreachable',
  'wrong-identity': 'MachineIdentityMismatch',
  'not-ready': 'MachineNotReady',
  'already-done': 'MachineRefused',
  absent: 'MachineRefused',
  'not-supported': 'MachineRefused',
  refused: 'MachineRefused',
  lost: 'MachineAnswerLost',
}

/** A call to a machine that did not succeed. The message names the machine and has its own words. */
export class MachineError extends OperatorError {
  readonly outcome: Outcome
  readonly mismatch: Mismatch | undefined
  readonly status: number | undefined

  constructor({ message, outcome, mismatch, status: code, cause }: Details) {
    super(CODES[outcome], { message, cause })
    this.outcome = outcome
    this.mismatch = mismatch
    this.status = code
  }
}

/** What became of it, if it was a call to a machine. */
export const outcomeOf = (error: unknown): Outcome | undefined =>
  error instanceof MachineError ? error.outcome : undefined

/** What a machine answers when it says "not yet", of all that it calls a failed precondition. */
const NOT_YET = [
  'bootstrap is not available yet',
  'time is not in sync yet',
  'etcd service is not ready for recovery yet',
  'another apply configuration is already in progress',
  'another installation/upgrade is already in progress',
  'configuration was already applied and node is rebooting',
]

// The part of a machine that does the work is not the one that we talk to, and it died with the
// question; or etcd did not say in time what it made of it.
const DIED_ON_IT =
  /error reading from server|transport is closing|closing transport due to|etcdserver: (request timed out|leader changed|server stopped)/

const NO_SUCH_KIND = /^(resource type|namespace) .* is not supported$/

/** What a status means that the machine itself answered with. */
export function outcomeOfStatus(code: number, words: string): Outcome {
  switch (code) {
    case status.UNAVAILABLE:
      return DIED_ON_IT.test(words) ? 'lost' : 'not-ready'
    case status.UNKNOWN:
      return DIED_ON_IT.test(words) ? 'lost' : 'refused'
    case status.ABORTED:
      return 'not-ready'
    case status.FAILED_PRECONDITION:
      return NOT_YET.some((text) => words.includes(text)) ? 'not-ready' : 'refused'
    case status.ALREADY_EXISTS:
      return 'already-done'
    case status.NOT_FOUND:
      return 'absent'
    case status.UNIMPLEMENTED:
      return 'not-supported'
    case status.PERMISSION_DENIED:
      // So a machine answers that is too old for a kind of resource.
      return NO_SUCH_KIND.test(words) ? 'not-supported' : 'refused'
    case status.CANCELLED:
    case status.DEADLINE_EXCEEDED:
      return 'lost'
    default:
      return 'refused'
  }
}

const LONGEST_WORDS = 2_000

/** The machine's own words, no longer than a person reads. A diff of configurations has secrets in it. */
export function saidBy(words: string): string {
  const [beforeDiff = ''] = words.split(/\s*\bdiff:/i)
  const whole = beforeDiff.trim() || 'no reason given'
  return whole.length > LONGEST_WORDS ? `${whole.slice(0, LONGEST_WORDS)} …` : whole
}
