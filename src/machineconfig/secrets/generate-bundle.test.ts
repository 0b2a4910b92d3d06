import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CertificateAndKey, SecretsBundle } from './bundle.ts'
import { generateBundle } from './generate-bundle.ts'
import { firstPemBlock } from './pem.ts'
import { familyOf, privateKeyOf } from './private-key.ts'

const now = new Date('2026-11-16T07:00:00Z')
const generated = new Map<string, Promise<SecretsBundle>>()

/** RSA keys take seconds, so each contract is made once. */
function bundleOf(talosVersion: string): Promise<SecretsBundle> {
  const known = generated.get(talosVersion) ?? generateBundle({ talosVersion, now })
  generated.set(talosVersion, known)
  return known
}

describe.each([
  ['etcd', 'O=etcd', 'ecdsa'],
  ['kubernetes', 'O=kubernetes', 'ecdsa'],
  ['aggregator', undefined, 'ecdsa'],
  ['talos', 'O=talos', 'ed25519'],
] as const)('the authority of %s', (part, subject, family) => {
  const found = async (): Promise<CertificateAndKey> => (await bundleOf('v1.6'))[part]

  test(`is ${subject ?? 'nobody'}`, async () => {
    const certificate = new X509Certificate((await found()).certificate)
    expect(certificate.subject).toBe(subject)
    expect(certificate.issuer).toBe(subject)
  })

  test(`signs itself with a key of the family ${family}`, async () => {
    const { certificate, key } = await found()
    const own = new X509Certificate(certificate)
    expect(familyOf(privateKeyOf(key))).toBe(family)
    expect(own.checkPrivateKey(privateKeyOf(key))).toBe(true)
    expect(own.verify(own.publicKey)).toBe(true)
    expect(own.ca).toBe(true)
    expect(own.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  })

  test('is good for 87600 hours from now', async () => {
    const { validFrom, validTo } = new X509Certificate((await found()).certificate)
    expect(new Date(validFrom)).toEqual(now)
    expect(Date.parse(validTo) - now.getTime()).toBe(87_600 * 3_600_000)
  })
})

test.each([
  ['v1.5', 'EC PRIVATE KEY'],
  ['v1.6.8', 'EC PRIVATE KEY'],
  ['v1.7', 'RSA PRIVATE KEY'],
  ['v1.14.0', 'RSA PRIVATE KEY'],
])('accounts of %s are signed with an %s', { timeout: 120_000 }, async (version, label) => {
  const { serviceAccountKey } = await bundleOf(version)
  expect(firstPemBlock(serviceAccountKey.open())?.label).toBe(label)
  const { modulusLength, namedCurve } = privateKeyOf(serviceAccountKey).asymmetricKeyDetails ?? {}
  expect(modulusLength ?? namedCurve).toBe(label.startsWith('RSA') ? 4096 : 'prime256v1')
})

test('the tokens and secrets have the forms that Talos gives them', async () => {
  const { cluster, bootstrapToken, trustdToken, encryption } = await bundleOf('v1.6')

  for (const token of [bootstrapToken, trustdToken]) {
    expect(token.open()).toMatch(/^[0-9a-z]{6}\.[0-9a-z]{16}$/)
  }
  expect(encryption.as).toBe('secretbox')
  for (const secret of [encryption.secret, cluster.secret]) {
    expect(Buffer.from(secret.open(), 'base64')).toHaveLength(32)
  }
  expect(cluster.id).toMatch(/^[A-Za-z0-9_-]{43}=$/)
})

test.each(['v1.4', 'v1.15.0', 'banana'])('%s is refused', async (talosVersion) => {
  await expect(generateBundle({ talosVersion, now })).rejects.toThrow(talosVersion.slice(1))
})
