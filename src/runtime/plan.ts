import type { Static } from 'typebox'
import type { ConditionsOf, Kind } from '#api/meta.ts'
import type { ErrorCode } from '#base/error-catalogue.ts'

/** Whether a condition holds, and why. The message does not flap: same world, same words. */
export interface Verdict {
  ok: boolean | 'unknown'
  /** One CamelCase word that a user can search for. */
  reason: string
  /** A sentence for a person, with what to do about it. */
  message: string
}

/** The condition holds. */
export const yes = (reason: string, message: string): Verdict => ({ ok: true, reason, message })

/** The condition does not hold. */
export const no = (reason: string, message: string): Verdict => ({ ok: false, reason, message })

/** Nobody can tell whether it holds. */
export const unknown = (reason: string, message: string): Verdict => ({
  ok: 'unknown',
  reason,
  message,
})

/** Something a user should hear of that is no step. */
export interface Notice {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
  /**
   * Whether it happened between the last look and this one, and is counted each time. Left out: it is so,
   * and is told once, however often it is stated.
   */
  hasHappened?: boolean
}

/** That a resource may go, and what users should know when it does. */
export interface Farewell {
  finished: true
  notices: Notice[]
}

/** Something that went wrong, as it is known by name, and in words. */
export interface Failure {
  code: ErrorCode
  message: string
}

/** What is said instead of what a plan says, because it came to nothing. */
export interface Amendment<K extends Kind = Kind> {
  status?: StatusOf<K>
  conditions?: Partial<Record<ConditionsOf<K>, Verdict>>
}

/** What follows from a resource and its world. */
export interface Plan<Step, K extends Kind = Kind> {
  /** What to do now: only what is safe from this very look. After it there is another look. */
  steps: Step[]
  /** The whole status, but for conditions and observedGeneration. What is left out is cleared. */
  status: StatusOf<K>
  /**
   * `Ready` is True unless it is stated otherwise here; and whatever is stated, it is not True while
   * another condition is not what the kind says it has to be for that.
   */
  conditions: Partial<Record<ConditionsOf<K>, Verdict>>
  /** When to look again though nothing changes. Left out: only when something changes. */
  wakeAt?: Date
  notices?: Notice[]
  /**
   * What is wrong though no step failed, by its name: the pass counts as failed. What the catalogue says is tried again
   * backs off; the rest is counted once, and looked at when the plan says.
   */
  failure?: Failure
  /** False while there is nothing that a deletion would have to take down. Left out: there is. */
  needsTeardown?: boolean
}

type StatusOf<K extends Kind> = {
  [Field in Exclude<keyof Static<K['status']>, 'conditions' | 'observedGeneration'>]?:
    | Static<K['status']>[Field]
    | undefined
}
