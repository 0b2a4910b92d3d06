import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKey } from '#base/x509.ts'
import {
  isSigned,
  parseToken,
  signingKeyOf,
  signingKeyWhenUsed,
  signToken,
} from './json-web-token.ts'
import { keySetOf, openidConfiguration } from './openid.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const key = signingKeyOf(rsa)
const other = signingKeyOf(createPrivateKey(createKey().open()))

test('a key of RSA signs as RS256, so that anyone can check it', () => {
  const token = signToken({ sub: 'somebody' }, key)

  const parsed = parseToken(token)
  expect(parsed?.header).toEqual({ alg: 'RS256', kid: key.id })
  const [head, body, signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  expect(verify('sha256', Buffer.from(`${head}.${body}`), createPublicKey(rsa), bytes)).toBe(true)
  expect(parsed && isSigned(parsed, key)).toBe(true)
})

test('a token is not believed under another key, another algorithm or another signature', () => {
  const parsed = parseToken(signToken({ sub: 'somebody' }, key))
  if (!parsed) throw new Error('no token')

  expect(isSigned(parsed, other)).toBe(false)
  expect(isSigned({ ...parsed, header: { ...parsed.header, alg: 'ES256' } }, key)).toBe(false)
  expect(isSigned({ ...parsed, signature: `A${parsed.signature.slice(1)}` }, key)).toBe(false)
  expect(isSigned({ ...parsed, signed: `${parsed.signed}x` }, key)).toBe(false)
})

test('the documents tell how a key of RSA is checked', () => {
  const { n, e } = createPublicKey(rsa).export({ format: 'jwk' })

  expect(keySetOf(key)).toEqual({
    keys: [{ use: 'sig', kty: 'RSA', kid: key.id, alg: 'RS256', n, e }],
  })
  expect(
    openidConfiguration('https://a', 'https://b', key.algorithm)
      .id_token_signing_alg_values_supported,
  ).toEqual(['RS256'])
})

test('a key is opened when it is first used, and once', () => {
  let opened = 0
  const lazy = signingKeyWhenUsed(() => {
    opened++
    return rsa
  })
  expect(opened).toBe(0)

  signToken({}, lazy)
  signToken({}, lazy)

  expect(opened).toBe(1)
})
