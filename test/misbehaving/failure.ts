const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

interface FailureOptions {
  /** What Kubernetes usually calls an error of this code, unless told. */
  reason?: string
  details?: Record<string, unknown>
  /** How a list that expired can be continued, inconsistently. */
  continue?: string
}

/** An answer that is an error, with the Status that Kubernetes sends for it. */
export class Failure extends Error {
  readonly code: number
  readonly status: Record<string, unknown>

  constructor(code: number, message: string, options: FailureOptions = {}) {
    super(message)
    this.code = code
    const { reason = REASONS[code], details, ...metadata } = options
    this.status = {
      ...{ kind: 'Status', apiVersion: 'v1', metadata, status: 'Failure', message },
      ...(reason && { reason }),
      ...(details && { details }),
      code,
    }
  }
}

/** Whatever was thrown, as a failure: what nobody foresaw is an internal error. */
export const failureOf = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure(500, `Internal error: ${error instanceof Error ? error.stack : error}`)
