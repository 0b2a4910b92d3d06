import { OperatorError } from '#base/operator-error.ts'

/**
 * Why the secrets of a cluster are not to be had: none are there although there were some, what is there
 * cannot be read, or two that are there are not those of one cluster.
 */
export const SECRETS_REASONS = ['SecretsLost', 'SecretsUnusable', 'SecretsDiffer'] as const

export type SecretsReason = (typeof SECRETS_REASONS)[number]

interface Problem {
  reason: SecretsReason
  /** What is wrong, with names and no values. Neither this nor the remedy ends with a full stop. */
  what: string
  remedy: string
}

/** What to do about a Secret that is damaged. */
export const RESTORE =
  'Restore the Secret from a backup; one that is immutable has to be deleted and created again'

/** Secrets that must not be used, and must not be replaced by new ones. Its message holds no value of them. */
export class SecretsError extends OperatorError {
  readonly reason: SecretsReason

  constructor({ reason, what, remedy }: Problem) {
    super(reason, {
      message: `${what}. ${remedy}. Nothing is done to any machine before that.`,
    })
    this.reason = reason
  }
}

/** Secrets that cannot be read. */
export const unusable = (what: string, remedy: string): SecretsError =>
  new SecretsError({ reason: 'SecretsUnusable', what, remedy })
