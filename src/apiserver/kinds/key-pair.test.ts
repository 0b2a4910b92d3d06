import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAuthority, createKey } from '#base/x509.ts'
import { problemOfKeyPair } from './key-pair.ts'

const validity = { notBefore: new Date('2026-01-01'), notAfter: new Date('2027-01-01') }
const { certificate, key } = createAuthority('test', createKey(), validity)
const own = key.open()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rsaKey = rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const block = (type: string): string => `-----BEGIN ${type}-----\nYQ==\n-----END ${type}-----\n`

test('a certificate and its key fit, whatever stands around them', () => {
  expect(problemOfKeyPair(certificate, own)).toBeUndefined()
  expect(problemOfKeyPair(`words\n${certificate}`, block('EC PARAMETERS') + own)).toBeUndefined()
})

test.each([
  ['', own, 'tls: failed to find any PEM data in certificate input'],
  [certificate, 'words', 'tls: failed to find any PEM data in key input'],
  [
    own,
    certificate,
    'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
  ],
  [
    block('A') + block('B'),
    own,
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
  ],
  [
    certificate,
    certificate,
    'tls: found a certificate rather than a key in the PEM for the private key',
  ],
  [
    certificate,
    block('A') + block('B'),
    'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [A B]',
  ],
  [certificate, block('PRIVATE KEY'), 'tls: failed to parse private key'],
  [certificate, createKey().open(), 'tls: private key does not match public key'],
  [certificate, rsaKey, 'tls: private key type does not match public key type'],
  [block('CERTIFICATE'), own, 'x509: malformed certificate'],
])('what does not fit is told in the words of Go (%#)', (one, other, problem) => {
  expect(problemOfKeyPair(one, other)).toBe(problem)
})
