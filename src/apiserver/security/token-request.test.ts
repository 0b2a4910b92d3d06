import { createPrivateKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ApiFailure } from '#apiserver/failure.ts'
import type { Fields } from '#apiserver/objects.ts'
import { createKey } from '#base/x509.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { aStore } from './a-store.cases.ts'
import { AccountTokens } from './account-tokens.ts'
import { parseToken, signingKeyOf } from './json-web-token.ts'
import { answerTokenRequest, withUsualLife } from './token-request.ts'

const ISSUER = 'https://kubernetes.default.svc'
const robot = { namespace: 'default', name: 'robot' }

async function anOffice() {
  const { store } = await aStore({
    '/serviceaccounts/default/robot': { metadata: { ...robot, uid: 'u1' } },
    '/serviceaccounts/default/other': { metadata: { ...robot, name: 'other', uid: 'u2' } },
    '/secrets/default/s': { metadata: { name: 's', uid: 's1' } },
    '/secrets/elsewhere/s': { metadata: { name: 's', uid: 's2' } },
    '/nodes/n': { metadata: { name: 'n', uid: 'n1' } },
    '/pods/default/p': {
      metadata: { name: 'p', uid: 'p1' },
      spec: { serviceAccountName: 'robot', nodeName: 'n' },
    },
    '/pods/default/lost': {
      metadata: { name: 'lost', uid: 'p2' },
      spec: { serviceAccountName: 'robot', nodeName: 'gone' },
    },
  })
  const clock = new FakeClock('2026-01-01T00:00:00Z')
  const key = signingKeyOf(createPrivateKey(createKey().open()))
  const tokens = new AccountTokens({ key, store, clock, issuer: ISSUER })
  const ask = (body: Fields, account = robot) =>
    answerTokenRequest(account, body, { store, clock, tokens })
  const claims = (body: Fields) => {
    const { status } = ask(body) as { status: { token: string } } // what the answer always has
    return parseToken(status.token)?.claims ?? {}
  }
  const failure = (body: Fields, account = robot) => {
    try {
      return ask(body, account)
    } catch (error) {
      return error instanceof ApiFailure ? `${error.code} ${error.message}` : error
    }
  }
  return { ask, claims, failure, tokens }
}

const bind = (kind: string, name: string, more: Fields = {}) => ({
  spec: { boundObjectRef: { kind, apiVersion: 'v1', name, ...more } },
})

describe('a token request', () => {
  test('gets a token for this API and an hour', async () => {
    const { ask, tokens } = await anOffice()

    const answer = ask({ metadata: { labels: { a: 'b' } }, spec: {} })
    expect(answer).toEqual({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {
        ...robot,
        uid: 'u1',
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: { a: 'b' },
      },
      spec: { audiences: [ISSUER], expirationSeconds: 3600, boundObjectRef: null },
      status: { token: expect.any(String), expirationTimestamp: '2026-01-01T01:00:00Z' },
    })
    const { token } = answer.status as { token: string } // as it was just seen to be
    expect(tokens.verify(token)).toMatchObject({ audiences: [ISSUER] })
  })

  test('gets the audiences and the length that it asks for', async () => {
    const { ask, claims } = await anOffice()
    const spec = { audiences: ['a', 'b'], expirationSeconds: 700 }

    expect(ask({ spec }).spec).toEqual({ ...spec, boundObjectRef: null })
    expect(claims({ spec })).toMatchObject({ aud: ['a', 'b'], exp: 1767225600 + 700 })
  })

  test.each([
    [
      { spec: { expirationSeconds: 5 } },
      '422 TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
    ],
    [
      { spec: { expirationSeconds: 4294967297 } },
      '422 TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [
      { metadata: { name: 'other' } },
      '422 TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    ],
    [
      { metadata: { uid: 'other' } },
      '409 Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "robot": the UID in the token request (other) does not match the UID of the service account (u1)',
    ],
    [bind('Secret', 'none'), '404 secrets "none" not found'],
    [bind('Node', 'none'), '404 nodes "none" not found'],
    [bind('ConfigMap', 'x'), '400 cannot bind token to object of type /v1, Kind=ConfigMap'],
    [
      bind('Deployment', 'x', { apiVersion: 'apps/v1' }),
      '400 cannot bind token to object of type apps/v1, Kind=Deployment',
    ],
    [
      bind('Secret', 's', { uid: 'nope' }),
      '409 Operation cannot be fulfilled on Secret "s": the UID in the bound object reference (nope) does not match the UID in record. The object might have been deleted and then recreated',
    ],
  ])('is refused as Kubernetes refuses it: %j', async (body, message) => {
    const { failure } = await anOffice()

    expect(failure(body)).toBe(message)
  })

  test('is refused for an account that is not there', async () => {
    const { failure } = await anOffice()

    const nobody = { namespace: 'default', name: 'nobody' }
    expect(failure({}, nobody)).toBe('404 serviceaccounts "nobody" not found')
  })

  test('cannot reach into another namespace by a name with a slash', async () => {
    const { failure } = await anOffice()

    expect(failure(bind('Secret', '../elsewhere/s'))).toMatch(/^404/)
    expect(failure({}, { namespace: '', name: 'default/robot' })).toMatch(/^404/)
    expect(failure({}, { namespace: 'default/robot', name: '' })).toMatch(/^404/)
    expect(failure(bind('Node', '../secrets/elsewhere/s'))).toMatch(/^404/)
  })
})

describe('a bound token', () => {
  test('names what it is bound to', async () => {
    const { claims } = await anOffice()

    expect(claims(bind('Secret', 's'))['kubernetes.io']).toMatchObject({
      secret: { name: 's', uid: 's1' },
    })
    expect(claims(bind('Node', 'n'))['kubernetes.io']).toMatchObject({
      node: { name: 'n', uid: 'n1' },
    })
    expect(claims(bind('Pod', 'p'))['kubernetes.io']).toMatchObject({
      pod: { name: 'p', uid: 'p1' },
      node: { name: 'n', uid: 'n1' },
    })
    expect(claims(bind('Pod', 'lost'))['kubernetes.io']).toMatchObject({ node: { name: 'gone' } })
  })

  test('is not given to a pod that runs as another account', async () => {
    const { failure } = await anOffice()

    expect(failure(bind('Pod', 'p'), { namespace: 'default', name: 'other' })).toBe(
      '400 cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
    )
  })

  test('of a pod lives for a year when it is asked for as kubelets ask', async () => {
    const { ask, claims } = await anOffice()
    const body = { spec: { ...bind('Pod', 'p').spec, expirationSeconds: 3607 } }

    expect(claims(body)).toMatchObject({
      exp: 1767225600 + 365 * 24 * 3600,
      'kubernetes.io': { warnafter: 1767225600 + 3607 },
    })
    expect(ask(body).status).toMatchObject({ expirationTimestamp: '2026-01-01T01:00:07Z' })
    const elsewhere = { spec: { ...body.spec, audiences: ['vault'] } }
    expect(claims(elsewhere)).toMatchObject({ exp: 1767225600 + 3607 })
  })
})

test('who does not say how long a token is to last is taken to have asked for an hour', () => {
  expect(withUsualLife({ spec: { audiences: ['a'] } })).toEqual({
    spec: { audiences: ['a'], expirationSeconds: 3600 },
  })
  expect(withUsualLife({ spec: { expirationSeconds: 900 } }).spec).toEqual({
    expirationSeconds: 900,
  })
})
