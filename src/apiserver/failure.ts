import { causesOf, type FieldError } from './field-error.ts'
import type { Fields } from './objects.ts'

/** Of which kind of object a failure tells. */
export interface About {
  group: string
  /** The plural for most failures; the kind (`Deployment`) for invalid objects. */
  kind: string
  name?: string
  uid?: string
}

interface FailureOptions {
  /** What Kubernetes calls it, in one word. */
  reason: string
  details?: Fields
  /** Lists that expired: how they can be continued, inconsistently. */
  continue?: string
}

/** An answer that is an error: the `Status` that Kubernetes sends for it, word by word. */
export class ApiFailure extends Error {
  readonly code: number
  readonly reason: string
  readonly status: Fields

  constructor(code: number, message: string, options: FailureOptions) {
    super(message)
    this.code = code
    const { reason, details, ...metadata } = options
    this.reason = reason
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message,
      ...(reason && { reason }),
      ...(details && { details }),
      code,
    }
  }
}

const detailsOf = ({ group, kind, name, uid }: About): Fields => ({
  ...(name && { name }),
  ...(group && { group }),
  ...(kind && { kind }),
  ...(uid && { uid }),
})

/** As Kubernetes names a kind of object in sentences: `deployments.apps`, `configmaps`. */
export const qualified = ({ group, kind }: About): string => (group ? `${kind}.${group}` : kind)

export const badRequest = (message: string): ApiFailure =>
  new ApiFailure(400, message, { reason: 'BadRequest' })

export const notFound = (about: About): ApiFailure =>
  new ApiFailure(404, `${qualified(about)} "${about.name ?? ''}" not found`, {
    reason: 'NotFound',
    details: detailsOf(about),
  })

export const alreadyExists = (about: About): ApiFailure =>
  new ApiFailure(409, `${qualified(about)} "${about.name ?? ''}" already exists`, {
    reason: 'AlreadyExists',
    details: detailsOf(about),
  })

export const conflict = (about: About, why: string): ApiFailure =>
  new ApiFailure(
    409,
    `Operation cannot be fulfilled on ${qualified(about)} "${about.name ?? ''}": ${why}`,
    { reason: 'Conflict', details: detailsOf(about) },
  )

export const forbidden = (about: About, why: string): ApiFailure => {
  const name = about.name === undefined ? '' : ` "${about.name}"`
  return new ApiFailure(403, `${qualified(about)}${name} is forbidden: ${why}`, {
    reason: 'Forbidden',
    details: detailsOf(about),
  })
}

/** Which object is refused, and each thing that is wrong with it. */
export function invalid(about: About, errors: readonly FieldError[]): ApiFailure {
  const causes = causesOf(errors)
  const sentences = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))]
  const [only = ''] = sentences
  const why = sentences.length > 1 ? `[${sentences.join(', ')}]` : only
  return new ApiFailure(422, `${qualified(about)} "${about.name ?? ''}" is invalid: ${why}`, {
    reason: 'Invalid',
    details: { ...detailsOf(about), causes },
  })
}

export const internalError = (why: string): ApiFailure =>
  new ApiFailure(500, `Internal error occurred: ${why}`, {
    reason: 'InternalError',
    details: { causes: [{ message: why }] },
  })
