import { type ErrorCode, errorCatalogue } from './error-catalogue.ts'

interface Details {
  /** What happened, with names: a sentence that a person can act on. Holds no secret. */
  message: string
  /** `never`: nothing is tried again until the spec changes. Left out: as the catalogue says. */
  retry?: 'backoff' | 'never'
  cause?: unknown
}

/** A failure that we know by name. Everything else that is thrown counts as `UnknownError`. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly code: ErrorCode
  readonly retry: 'backoff' | 'never'

  constructor(code: ErrorCode, { message, retry, cause }: Details) {
    super(message, { cause })
    this.code = code
    this.retry = retry ?? errorCatalogue[code].retry
  }
}

/** The code of whatever was thrown. */
export const codeOf = (error: unknown): ErrorCode =>
  error instanceof OperatorError ? error.code : 'UnknownError'

/** What was thrown, in words. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message)
    return error.errors.map(messageOf).join('; ')
  if (error instanceof Error) return error.message || error.name
  try {
    return String(error)
  } catch {
    return 'something that is no error'
  }
}
