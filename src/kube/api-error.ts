/** One field that the API server objected to, or another cause of a refusal. */
export interface Cause {
  /** One word: `FieldValueInvalid`, `DisruptionBudget` … Empty where the server says none. */
  reason: string
  field: string
  message: string
}

interface Details {
  /** HTTP status, or 0 when there was no answer. */
  status: number
  /** One word: Kubernetes' own (`NotFound`, `Conflict` …), or `Unreachable`, `Timeout`, `Garbled`. */
  reason: string
  /** The name of the object that the server speaks of. */
  objectName?: string
  causes?: Cause[]
  /** How long the server asked us to stay away. */
  retryAfterMs?: number
  cause?: unknown
}

/** A call to a Kubernetes API that did not do what it should. The message is a sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly reason: string
  readonly objectName: string | undefined
  readonly causes: readonly Cause[]
  readonly retryAfterMs: number | undefined

  constructor(message: string, { causes = [], cause, ...details }: Details) {
    super(message, { cause })
    this.status = details.status
    this.reason = details.reason
    this.objectName = details.objectName
    this.causes = causes
    this.retryAfterMs = details.retryAfterMs
  }
}

/** Whether an object has changed since we looked. Nobody's fault: look again. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'Conflict'

/** Whether what was asked for is too old for the server to know: list again. */
export const isTooOld = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 410 || ['Gone', 'Expired'].includes(error.reason))

/**
 * Whether the server says that it has no such object. A 404 that names none is something else: a kind
 * that is not served, or a proxy that does not know the path.
 */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'NotFound' && error.objectName !== undefined

/** Whether a refused eviction was one too many for a budget, and not for the server. */
export const isOverBudget = (error: unknown): boolean =>
  error instanceof ApiError && error.causes.some(({ reason }) => reason === 'DisruptionBudget')
