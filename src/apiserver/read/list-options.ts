import { ApiFailure, badRequest, invalid } from '#apiserver/failure.ts'
import { type FieldError, forbiddenField, notSupported } from '#apiserver/field-error.ts'
import { jsonProblemIn } from '#apiserver/json-error.ts'
import { isFields } from '#apiserver/objects.ts'
import { limitIn, numberIn } from './selection.ts'

const ABOUT = { group: 'meta.k8s.io', kind: 'ListOptions' }
const MATCHES = ['Exact', 'NotOlderThan', '']

/** From where a list goes on: after a key, as of a revision; -1: as of now. */
interface From {
  revision: number
  after: string
}

/** As of when a list is asked for, and how much of it. */
export interface ListOptions {
  limit: number | undefined
  from: From | undefined
  /** Left out: as of now. */
  exactly: number | undefined
  /** Not older than this. */
  atLeast: number
}

/** From the query of a list; fails in Kubernetes' words where it contradicts itself. */
export function listOptionsOf(query: URLSearchParams): ListOptions {
  const version = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  const token = query.get('continue') ?? ''
  const errors = contradictionsIn(query)
  if (errors.length > 0) throw invalid(ABOUT, errors)
  const limit = limitIn(query)
  numberIn(query, 'timeoutSeconds')
  const from = token ? continuationOf(token) : undefined
  if (from && version && version !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  const revision = revisionOf(version, 'invalid resource version: ')
  const isExact = match === 'Exact' || (match === '' && revision > 0 && limit !== undefined)
  return { limit, from, exactly: isExact ? revision : undefined, atLeast: revision }
}

function contradictionsIn(query: URLSearchParams): FieldError[] {
  const wrong = (field: string, why: string) => forbiddenField(field, why)
  const events = query.has('sendInitialEvents')
    ? [wrong('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
    : []
  return [...matchProblems(query), ...events]
}

function matchProblems(query: URLSearchParams): FieldError[] {
  const version = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  const wrong = (field: string, why: string) => forbiddenField(field, why)
  const field = 'resourceVersionMatch'
  if (match === '') return []
  if (version === '') {
    return [wrong(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided')]
  }
  if (query.get('continue')) {
    return [wrong(field, 'resourceVersionMatch is forbidden when continue is provided')]
  }
  if (!MATCHES.includes(match)) return [notSupported(field, match, MATCHES)]
  return match === 'Exact' && version === '0'
    ? [wrong(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
    : []
}

/** The number in a resourceVersion: 0 where there is none. */
export function revisionOf(text: string, before = ''): number {
  if (text === '') return 0
  if (/^\d+$/.test(text)) return Number(text)
  const quoted = JSON.stringify(text)
  throw badRequest(
    `${before}resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`,
  )
}

/** A token with which a list can be continued. */
export const continueToken = ({ revision, after }: From): string =>
  Buffer.from(
    JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${after}\u0000` }),
  ).toString('base64url')

function continuationOf(token: string): From {
  const { v, rv, start } = decoded(token)
  if (v !== 'meta.k8s.io/v1') {
    throw badRequest(
      `invalid continue token: continue key is not valid: server does not recognize this encoded version ${v}`,
    )
  }
  if (typeof rv !== 'number' || typeof start !== 'string' || !start.endsWith('\u0000')) {
    throw badRequest(
      'invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    )
  }
  return { revision: rv, after: start.slice(0, -1) }
}

function decoded(token: string): Record<string, unknown> {
  let value: unknown
  const text = Buffer.from(token, 'base64url').toString('latin1')
  try {
    const parsed: unknown = JSON.parse(text)
    value = parsed
  } catch {
    throw badRequest(`invalid continue token: continue key is not valid: ${jsonProblemIn(text)}`)
  }
  return isFields(value) ? value : {}
}

/** The list that is continued is no longer remembered as it was; the rest of today's can be had. */
export const continuationExpired = (after: string): ApiFailure =>
  new ApiFailure(
    410,
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    { reason: 'Expired', continue: continueToken({ revision: -1, after }) },
  )

export const listExpired = (): ApiFailure =>
  new ApiFailure(410, 'The resourceVersion for the provided list is too old.', {
    reason: 'Expired',
  })

/** Asked for a state that has not been reached yet. */
export const tooNew = (asked: number, current: number): ApiFailure =>
  new ApiFailure(504, `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    reason: 'Timeout',
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  })
