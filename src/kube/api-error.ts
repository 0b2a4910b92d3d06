/** One field that the API server objected to. */
export interface Cause {
  field: string
  message: string
}

interface Details {
  /** HTTP status, or 0 when there was no answer. */
  status: number
  /** One word: Kubernetes' own (`NotFound`, `Conflict` …), or `Unreachable`, `Timeout`, `Garbled`. */
  reason: string
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
  readonly causes: readonly Cause[]
  readonly retryAfterMs: number | undefined

  constructor(message: string, { status, reason, causes = [], retryAfterMs, cause }: Details) {
    super(message, { cause })
    this.status = status
    this.reason = reason
    this.causes = causes
    this.retryAfterMs = retryAfterMs
  }
}

/** Whether what was asked for is too old for the server to know: list again. */
export const isTooOld = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 410 || ['Gone', 'Expired'].includes(error.reason))
