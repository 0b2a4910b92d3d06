import { expect, test } from 'vitest'
import { ApiError } from '#kube/api-error.ts'
import { silenceOf } from './cluster-nodes-silence.ts'

const HOST = '10.0.0.1:6443'

/** As the client throws it when a connection fails with this code. */
const failing = (code: string) =>
  new ApiError(`gave no answer: ${code} at 12:34:56`, {
    ...{ status: 0, reason: 'Unreachable', cause: Object.assign(new Error('x'), { code }) },
  })
const answering = (status: number, reason = 'Unknown') =>
  new ApiError('it said something', { status, reason })

test.each([
  ['a refused connection', failing('ECONNREFUSED'), ['Unreachable', 'nobody listens there']],
  ['a broken connection', failing('ECONNRESET'), ['Unreachable', 'the connection breaks']],
  ['no route', failing('EHOSTUNREACH'), ['Unreachable', 'there is no way to it']],
  ['an unknown name', failing('ENOTFOUND'), ['Unreachable', 'its name is not known']],
  ['no TLS', failing('ERR_SSL_WRONG_VERSION_NUMBER'), ['Unreachable', 'speaks no TLS']],
  ['a deadline', answering(0, 'Timeout'), ['Unreachable', 'nothing comes back in time']],
  ['another server', answering(404, 'NotFound'), ['Unreachable', 'is no Kubernetes API']],
  ['garbage', answering(0, 'Garbled'), ['Unreachable', 'is no Kubernetes API']],
  ['a server in trouble', answering(503), ['Unreachable', 'it says HTTP 503']],
  ['anything else', new Error('aborted'), ['Unreachable', 'the connection breaks']],
  ['what is no error', undefined, ['Unreachable', 'the connection breaks']],
  [
    'another authority',
    failing('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    ['Untrusted', 'a certificate of another authority'],
  ],
  ['a self-signed one', failing('DEPTH_ZERO_SELF_SIGNED_CERT'), ['Untrusted', 'another authority']],
  ['another name', failing('ERR_TLS_CERT_ALTNAME_INVALID'), ['Untrusted', 'certSANs']],
  ['an expired one', failing('CERT_HAS_EXPIRED'), ['Untrusted', 'is not valid now']],
  ['a 401', answering(401, 'Unauthorized'), ['Refused', 'does not accept the credentials']],
  ['a 403', answering(403, 'Forbidden'), ['Refused', 'does not let us look']],
  [
    'an alert for our certificate',
    failing('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
    ['Refused', 'does not accept the credentials'],
  ],
])(
  '%s has its own words, which name the host and nothing that changes',
  (_, error, [reason, words]) => {
    const silence = silenceOf(error, HOST)

    expect(silence.reason).toBe(reason)
    expect(silence.message).toContain(words)
    expect(silence.message.startsWith(HOST)).toBe(true)
    expect(silence.message).not.toContain('12:34:56')
  },
)

test('only what has a certificate of another authority is of another cluster', () => {
  const foreign = (code: string) => silenceOf(failing(code), HOST).isForeign

  expect(foreign('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).toBe(true)
  expect(foreign('ERR_TLS_CERT_ALTNAME_INVALID')).toBeUndefined()
  expect(foreign('ECONNREFUSED')).toBeUndefined()
})
