import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createAuthority, createKey } from '#base/x509.ts'
import { errorsOf } from './verdicts.cases.ts'

const NAME = 'name must be specified'

test('a mirror is a server', () => {
  const endpoints = [{}, { url: 'ftp://a' }, { url: 'http://a' }, { url: 'https://a' }]
  expect(errorsOf('RegistryMirrorConfig', { endpoints })).toEqual([
    NAME,
    'endpoints[0].url must be specified',
    'endpoints[1].url has unsupported scheme: "ftp"',
  ])
  expect(errorsOf('RegistryMirrorConfig', { name: 'docker.io' })).toEqual([])
})

test('one logs in in one way', () => {
  const errors = (fields: object) => errorsOf('RegistryAuthConfig', { name: 'a', ...fields })
  const first = 'only one of username/password or identityToken authentication can be specified'
  const second =
    'only one of auth, username/password or identityToken authentication can be specified'
  expect(errorsOf('RegistryAuthConfig', {})).toEqual([NAME])
  expect(errors({ username: 'a', password: 'b' })).toEqual([])
  expect(errors({ username: 'a', identityToken: 'b' })).toEqual([first])
  expect(errors({ auth: 'a', identityToken: 'b' })).toEqual([second])
  expect(errors({ auth: 'a', username: 'b' })).toEqual([second])
  expect(errors({ auth: 'a' })).toEqual([])
})

describe('a secured connection', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const authority = createAuthority('test', createKey(), { notBefore: now, notAfter: now })
  const { certificate } = authority
  const pkcs8 = authority.key.open()
  const errors = (fields: object) => errorsOf('RegistryTLSConfig', { name: 'a', ...fields })
  const identity = (cert: string, key: string) => errors({ clientIdentity: { cert, key } })
  const broken = '-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n'

  test('trusts a certificate', () => {
    const wrong = ['ca must be a valid PEM-encoded certificate']
    expect(errorsOf('RegistryTLSConfig', {})).toEqual([NAME])
    expect(errors({ ca: `words\n${broken}${certificate}` })).toEqual([])
    expect([errors({ ca: 'garbage' }), errors({ ca: broken }), errors({ ca: pkcs8 })]).toEqual([
      wrong,
      wrong,
      wrong,
    ])
  })

  test('shows a certificate and holds its key', () => {
    expect(identity(certificate, pkcs8)).toEqual([])
    expect(identity('', '')).toEqual([
      'client identity certificate is invalid: failed to parse PEM block',
      'client identity key is invalid: failed to parse PEM block',
    ])
    expect(identity(broken, pkcs8)).toEqual([
      'client identity certificate is invalid: failed to parse certificate: x509: malformed certificate',
    ])
  })

  test('wants the key in one form, and does not show another', () => {
    const key = 'client identity key is invalid: failed to parse key:'
    const other = `${key} x509: failed to parse private key (use`
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const { privateKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pkcs1 = `${rsa.export({ type: 'pkcs1', format: 'pem' })}`
    const sec1 = `${curve.export({ type: 'sec1', format: 'pem' })}`
    expect(identity(certificate, pkcs1)).toEqual([
      `${other} ParsePKCS1PrivateKey instead for this key format)`,
    ])
    expect(identity(certificate, sec1)).toEqual([
      `${other} ParseECPrivateKey instead for this key format)`,
    ])
    const block = (body: string) =>
      `-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----\n`
    expect(identity(certificate, block('YWJj\n'))).toEqual([
      `${key} asn1: structure error: tags don't match`,
    ])
    expect(identity(certificate, block(''))).toEqual([
      `${key} asn1: syntax error: sequence truncated`,
    ])
    expect(identity(certificate, block('no base64!\n'))).toEqual([
      'client identity key is invalid: failed to parse PEM block',
    ])
  })
})
