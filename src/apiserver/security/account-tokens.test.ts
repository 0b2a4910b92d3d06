import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { createKey } from '#base/x509.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { aStore } from './a-store.cases.ts'
import { AccountTokens } from './account-tokens.ts'
import { parseToken, signingKeyOf } from './json-web-token.ts'
import { keySetOf, openidConfiguration } from './openid.ts'

const ISSUER = 'https://kubernetes.default.svc'
const ACCOUNT = '/serviceaccounts/default/robot'
const START = '2026-01-01T00:00:00Z'

const anObject = (name: string, uid: string, rest: Fields = {}): Fields => ({
  metadata: { name, namespace: 'default', uid },
  ...rest,
})

const aKey = () => signingKeyOf(createPrivateKey(createKey().open()))

async function anOffice() {
  const filled = await aStore({ [ACCOUNT]: anObject('robot', 'u1') })
  const clock = new FakeClock(START)
  const key = aKey()
  const tokens = new AccountTokens({ key, store: filled.store, clock, issuer: ISSUER })
  const issuedAt = clock.now().getTime() / 1000
  const facts = {
    namespace: 'default',
    name: 'robot',
    uid: 'u1',
    bound: {},
    audiences: [ISSUER],
    issuedAt,
    expiresAt: issuedAt + 3600,
  }
  const issue = (more: Partial<Parameters<AccountTokens['issue']>[0]> = {}) =>
    tokens.issue({ ...facts, ...more }).open()
  return { ...filled, clock, key, tokens, issue }
}

const accepted = expect.objectContaining({ audiences: [ISSUER] })
const refused = (problem: string | undefined) => ({ problem })

describe('a token', () => {
  test('says what the tokens of Kubernetes say', async () => {
    const { issue, key } = await anOffice()

    const token = parseToken(issue({ bound: { pod: { name: 'p', uid: 'p1' } }, warnAfter: 7 }))
    expect(token?.header).toEqual({ alg: 'ES256', kid: key.id })
    expect(token?.claims).toEqual({
      aud: [ISSUER],
      exp: 1767229200,
      iat: 1767225600,
      iss: ISSUER,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'kubernetes.io': {
        namespace: 'default',
        pod: { name: 'p', uid: 'p1' },
        serviceaccount: { name: 'robot', uid: 'u1' },
        warnafter: 7,
      },
      nbf: 1767225600,
      sub: 'system:serviceaccount:default:robot',
    })
  })

  test('is known again, as its account', async () => {
    const { issue, tokens } = await anOffice()

    const token = issue()
    const verdict = tokens.verify(token)
    expect(verdict).toEqual({
      user: {
        name: 'system:serviceaccount:default:robot',
        uid: 'u1',
        groups: [
          'system:serviceaccounts',
          'system:serviceaccounts:default',
          'system:authenticated',
        ],
        extra: {
          'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)],
        },
      },
      audiences: [ISSUER],
    })
    expect(tokens.verify(token)).toBe(verdict)
  })

  test('ends, with a minute for clocks that differ', async () => {
    const { issue, tokens, clock } = await anOffice()
    const token = issue()

    clock.jump(3600_000 + 59_000)
    expect(tokens.verify(token)).toEqual(accepted)
    clock.jump(2_000)
    expect(tokens.verify(token)).toEqual(refused('service account token has expired'))
  })

  test('is not valid before its time', async () => {
    const { issue, tokens, clock } = await anOffice()
    const token = issue()

    clock.jump(-59_000)
    expect(tokens.verify(token)).toEqual(accepted)
    clock.jump(-2_000)
    expect(tokens.verify(token, [ISSUER])).toEqual(
      refused('service account token is not valid yet'),
    )
  })

  test('that was good a moment ago is forgotten after ten seconds at the latest', async () => {
    const { issue, tokens, clock } = await anOffice()
    const token = issue({ expiresAt: clock.now().getTime() / 1000 + 5 })

    const verdict = tokens.verify(token)
    await clock.advance(4_900)
    expect(tokens.verify(token)).toBe(verdict)
    await clock.advance(66_000)
    expect(tokens.verify(token)).toEqual(refused('service account token has expired'))
  })

  test('is good for its audiences only', async () => {
    const { issue, tokens } = await anOffice()
    const token = issue({ audiences: ['vault', 'other'] })

    expect(tokens.verify(token)).toEqual(
      refused(
        `token audiences ["vault" "other"] is invalid for the target audiences ["${ISSUER}"]`,
      ),
    )
    expect(tokens.verify(token, ['x', 'vault'])).toMatchObject({ audiences: ['vault'] })
  })
})

describe('a token is refused at once', () => {
  test('when its account is removed, also when one of the same name comes back', async () => {
    const { issue, tokens, put, remove } = await anOffice()
    const token = issue()
    expect(tokens.verify(token)).toEqual(accepted)

    await remove(ACCOUNT)
    expect(tokens.verify(token)).toEqual(refused('serviceaccounts "robot" not found'))
    await put(ACCOUNT, anObject('robot', 'u2'))
    expect(tokens.verify(token)).toEqual(
      refused('service account UID (u2) does not match claim (u1)'),
    )
  })

  test('when its account has been going for a minute', async () => {
    const { issue, tokens, put, clock } = await anOffice()
    const metadata = { name: 'robot', uid: 'u1', deletionTimestamp: START }
    await put(ACCOUNT, { metadata })

    expect(tokens.verify(issue(), [ISSUER])).toEqual(accepted)
    clock.jump(61_000)
    expect(tokens.verify(issue(), [ISSUER])).toEqual(
      refused('service account default/robot has been deleted'),
    )
  })

  test('when what it is bound to has been going for a minute', async () => {
    const { issue, tokens, put, clock } = await anOffice()
    await put('/pods/default/it', { metadata: { uid: 'i1', deletionTimestamp: START } })
    const token = issue({ bound: { pod: { name: 'it', uid: 'i1' } } })

    expect(tokens.verify(token, [ISSUER])).toEqual(accepted)
    clock.jump(61_000)
    expect(tokens.verify(token, [ISSUER])).toEqual(
      refused('service account token has been invalidated'),
    )
  })

  test.each([
    ['pod', '/pods/default/it'],
    ['secret', '/secrets/default/it'],
    ['node', '/nodes/it'],
  ] as const)('when the %s that it is bound to is gone', async (kind, key) => {
    const { issue, tokens, put, remove } = await anOffice()
    const token = issue({ bound: { [kind]: { name: 'it', uid: 'i1' } } })

    expect(tokens.verify(token)).toEqual(refused('service account token has been invalidated'))
    await put(key, anObject('it', 'i1'))
    expect(tokens.verify(token)).toEqual(accepted)
    await put(key, anObject('it', 'i2'))
    expect(tokens.verify(token)).toEqual(
      refused(`${kind} UID (i2) does not match service account ${kind} ref claim (i1)`),
    )
    await remove(key)
    expect(tokens.verify(token)).toEqual(refused('service account token has been invalidated'))
  })
})

test('a token of a pod tells which, and where it runs', async () => {
  const { issue, tokens, put } = await anOffice()
  await put('/pods/default/it', anObject('it', 'i1'))

  const bound = { pod: { name: 'it', uid: 'i1' }, node: { name: 'n', uid: '' } }
  expect(tokens.verify(issue({ bound }))).toMatchObject({
    user: {
      extra: {
        'authentication.kubernetes.io/node-name': ['n'],
        'authentication.kubernetes.io/pod-name': ['it'],
        'authentication.kubernetes.io/pod-uid': ['i1'],
      },
    },
  })
})

describe('a forged token', () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const NO_GOOD = refused('go-jose/go-jose: error in cryptographic primitive')

  test('signed with another key is refused, whatever key it names', async () => {
    const { issue, tokens, key } = await anOffice()
    const [header = '', claims = ''] = issue().split('.')
    const stranger = aKey()
    const signed = (head: string) => {
      const text = `${head}.${claims}`
      const signature = sign('sha256', Buffer.from(text), {
        key: stranger.privateKey,
        dsaEncoding: 'ieee-p1363',
      })
      return `${text}.${signature.toString('base64url')}`
    }

    expect(tokens.verify(signed(header))).toEqual(NO_GOOD)
    expect(tokens.verify(signed(encoded({ alg: 'ES256' })))).toEqual(NO_GOOD)
    expect(tokens.verify(signed(encoded({ alg: 'ES256', kid: stranger.id })))).toEqual(
      refused('invalid signature, no keys found'),
    )
    expect(key.id).not.toBe(stranger.id)
  })

  test('that says it needs no signature, or takes the public key for a password, is refused', async () => {
    const { issue, tokens, key } = await anOffice()
    const [, claims = '', signature = ''] = issue().split('.')
    const none = `${encoded({ alg: 'none', kid: key.id })}.${claims}`
    const hmac = `${encoded({ alg: 'HS256', kid: key.id })}.${claims}`
    const pem = key.publicKey.export({ type: 'spki', format: 'pem' })
    const mac = createHmac('sha256', pem).update(hmac).digest('base64url')

    expect(tokens.verify(`${none}.`)).toEqual(NO_GOOD)
    expect(tokens.verify(`${none}.${signature}`)).toEqual(NO_GOOD)
    expect(tokens.verify(`${hmac}.${mac}`)).toEqual(NO_GOOD)
  })

  test('that names another way of signing than ours is refused, even if our key signed it', async () => {
    const { issue, tokens, key } = await anOffice()
    const [, claims] = issue().split('.')

    for (const alg of ['none', 'ES384', 'es256', undefined]) {
      const text = `${encoded({ alg, kid: key.id })}.${claims}`
      const options = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const
      const signature = sign('sha256', Buffer.from(text), options).toString('base64url')
      expect(tokens.verify(`${text}.${signature}`)).toEqual(NO_GOOD)
    }
  })

  test('with changed claims, or with a piece added or missing, is refused', async () => {
    const { issue, tokens } = await anOffice()
    const token = issue()
    const [header, claims = '', signature] = token.split('.')
    const changed = { ...parseToken(token)?.claims, exp: 9_999_999_999 }

    expect(tokens.verify(`${header}.${encoded(changed)}.${signature}`)).toEqual(NO_GOOD)
    expect(tokens.verify(`${header}.${claims}.${signature}AA`)).toEqual(NO_GOOD)
    expect(tokens.verify(`${header}.${claims}.${signature}\n`)).toEqual(NO_GOOD)
    expect(tokens.verify(`${token}.${signature}`)).toEqual(refused(undefined))
    expect(tokens.verify(`${header}.${claims}`)).toEqual(refused(undefined))
    expect(tokens.verify(`${header}.{}.${signature}`)).toEqual(refused(undefined))
    expect(tokens.verify('')).toEqual(refused(undefined))
  })

  test('of another issuer, or without an end, is refused though our key signed it', async () => {
    const { tokens, key, clock, store, issue } = await anOffice()
    const other = new AccountTokens({ key, store, clock, issuer: 'https://elsewhere' })
    const now = clock.now().getTime() / 1000
    const facts = { namespace: 'default', name: 'robot', uid: 'u1', bound: {}, issuedAt: now }

    const foreign = other.issue({ ...facts, audiences: [ISSUER], expiresAt: now + 600 })
    expect(tokens.verify(foreign.open())).toEqual(refused(undefined))
    expect(tokens.verify(issue({ expiresAt: Number.NaN }))).toEqual(
      refused('service account token has expired'),
    )
  })

  test('signed by an RSA key is no token of ours', async () => {
    const { issue, tokens } = await anOffice()
    const [header, claims] = issue().split('.')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const signature = sign('sha256', Buffer.from(`${header}.${claims}`), privateKey)

    expect(tokens.verify(`${header}.${claims}.${signature.toString('base64url')}`)).toEqual(NO_GOOD)
  })
})

describe('the token in a Secret', () => {
  const SECRET = '/secrets/default/robot-token'
  const holding = (token: string) =>
    anObject('robot-token', 's1', { data: { token: Buffer.from(token).toString('base64') } })

  test('is good as long as the Secret holds it', async () => {
    const { tokens, put, remove } = await anOffice()
    const account = { namespace: 'default', name: 'robot', uid: 'u1' }
    const token = tokens.issueForSecret(account, 'robot-token').open()

    expect(tokens.verify(token)).toEqual(refused('Token has been invalidated'))
    await put(SECRET, holding(token))
    expect(tokens.verify(token)).toEqual({
      user: {
        name: 'system:serviceaccount:default:robot',
        uid: 'u1',
        groups: [
          'system:serviceaccounts',
          'system:serviceaccounts:default',
          'system:authenticated',
        ],
      },
      audiences: [ISSUER],
    })
    await put(SECRET, holding('another'))
    expect(tokens.verify(token)).toEqual(refused("Token does not match server's copy"))
    await put(SECRET, holding(token))
    expect(tokens.verify(token)).toEqual(accepted)
    await remove(SECRET)
    expect(tokens.verify(token)).toEqual(refused('Token has been invalidated'))
  })

  test('says what Kubernetes says there', async () => {
    const { tokens } = await anOffice()

    const account = { namespace: 'default', name: 'robot', uid: 'u1' }
    expect(parseToken(tokens.issueForSecret(account, 's').open())?.claims).toEqual({
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': 's',
      'kubernetes.io/serviceaccount/service-account.name': 'robot',
      'kubernetes.io/serviceaccount/service-account.uid': 'u1',
      sub: 'system:serviceaccount:default:robot',
    })
  })
})

test('others can check tokens with the published key', async () => {
  const key = aKey()

  expect(keySetOf(key)).toEqual({
    keys: [
      {
        use: 'sig',
        kty: 'EC',
        kid: key.id,
        crv: 'P-256',
        alg: 'ES256',
        x: expect.any(String),
        y: expect.any(String),
      },
    ],
  })
  expect(openidConfiguration(ISSUER, 'https://10.0.0.1:6443')).toMatchObject({
    jwks_uri: 'https://10.0.0.1:6443/openid/v1/jwks',
  })
})
