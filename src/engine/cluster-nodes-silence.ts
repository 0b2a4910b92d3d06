import { ApiError } from '#kube/api-error.ts'
import { OF_ANOTHER_AUTHORITY } from '#kube/untrusted-codes.ts'
import type { Silence } from './cluster-nodes-seen.ts'

/** Why the API server at a host could not be asked, by what was thrown. Same cause, same words. */
export function silenceOf(error: unknown, host: string): Silence {
  const status = error instanceof ApiError ? error.status : 0
  const code = codeOf(error)
  if (status === 401 || REFUSED_CERTIFICATE.test(code)) {
    const message = `${host} does not accept the credentials of this cluster: see whether the endpoint leads to another one`
    return { reason: 'Refused', message }
  }
  if (status === 403) {
    const message = `${host} does not let us look at its nodes: see what its authorizer says of system:masters`
    return { reason: 'Refused', message }
  }
  const distrust = distrustOf(code, host)
  const isForeign = OF_ANOTHER_AUTHORITY.has(code)
  if (distrust) {
    return { reason: 'Untrusted', message: distrust, ...(isForeign && { isForeign }) }
  }
  return { reason: 'Unreachable', message: `${host} does not answer: ${whyOf(error, code)}` }
}

// What a server says that wants another client certificate than ours, if it says so in TLS.
const REFUSED_CERTIFICATE = /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_[A-Z]+)$/

function distrustOf(code: string, host: string): string | undefined {
  if (OF_ANOTHER_AUTHORITY.has(code)) {
    return `${host} shows a certificate of another authority than this cluster's: the endpoint leads to something else`
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${host} shows a certificate that is not for this name: add it to cluster.apiServer.certSANs, or correct the endpoint`
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return `${host} shows a certificate that is not valid now: compare the clocks of both sides`
  }
  return undefined
}

const NO_WAY = 'there is no way to it'
const NOT_IN_TIME = 'nothing comes back in time'
const BREAKS = 'the connection breaks'
const NO_NAME = 'its name is not known'

const WHY = new Map([
  ['ECONNREFUSED', 'nobody listens there'],
  ['ECONNRESET', BREAKS],
  ['EPIPE', BREAKS],
  ['ETIMEDOUT', NOT_IN_TIME],
  ['EHOSTUNREACH', NO_WAY],
  ['ENETUNREACH', NO_WAY],
  ['ENOTFOUND', NO_NAME],
  ['EAI_AGAIN', NO_NAME],
])

function whyOf(error: unknown, code: string): string {
  const known = WHY.get(code)
  if (known) return known
  if (error instanceof ApiError) return whyItFailed(error, code)
  return BREAKS
}

function whyItFailed({ status, reason }: ApiError, code: string): string {
  if (reason === 'Timeout' && status === 0) return NOT_IN_TIME
  if (reason === 'Garbled' || status === 404) return 'what is there is no Kubernetes API'
  if (status > 0) return `it says HTTP ${status}`
  return code.startsWith('ERR_SSL') || code === 'EPROTO' ? 'what is there speaks no TLS' : BREAKS
}

/** What Node calls it. A failed call has the failure of its connection as its cause. */
function codeOf(error: unknown): string {
  const cause = error instanceof ApiError ? error.cause : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}
