import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createAuthority } from '#base/x509.ts'
import { newAuthority } from './authority.ts'
import type { CertificateAndKey } from './bundle.ts'
import {
  adminCertificate,
  kubernetesAdminCertificate,
  kubernetesClientCertificate,
} from './certificates.ts'
import { firstPemBlock } from './pem.ts'
import { plainPem, privateKeyOf, talosPem } from './private-key.ts'

const now = new Date('2026-11-16T07:00:00Z')
const HOUR_MS = 3_600_000
const later = (ms: number) => new Date(now.getTime() + ms)
const read = ({ certificate }: CertificateAndKey) => new X509Certificate(certificate)

let talos: CertificateAndKey
let kubernetes: CertificateAndKey
beforeAll(async () => {
  talos = await newAuthority({ family: 'ed25519', organization: 'talos', now })
  kubernetes = await newAuthority({ family: 'ecdsa', organization: 'kubernetes', now })
})

describe('the certificate of a client of Talos', () => {
  const issued = (options = {}) =>
    adminCertificate({ ca: talos, roles: ['os:admin'], now, ...options })

  test('tells its roles, sorted, each once, and no name', async () => {
    const roles = ['os:reader', 'os:admin', 'os:reader', 'custom']
    const { subject } = read(await issued({ roles }))
    expect(subject).toBe('O=custom\nO=os:admin\nO=os:reader')
  })

  test('is for clients and nothing else', async () => {
    const found = read(await issued())
    expect(found.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    expect(found.ca).toBe(false)
    expect(found.subjectAltName).toBeUndefined()
    // Key usage, critical: signs what it says.
    expect(found.raw.includes(Buffer.from('0603551d0f0101ff040403020780', 'hex'))).toBe(true)
  })

  test('is signed by the authority, with a key of the same family', async () => {
    const own = await issued()
    expect(read(own).checkIssued(read(talos))).toBe(true)
    expect(read(own).verify(read(talos).publicKey)).toBe(true)
    expect(read(own).checkPrivateKey(privateKeyOf(own.key))).toBe(true)
    expect(firstPemBlock(own.key.open())?.label).toBe('ED25519 PRIVATE KEY')
  })

  test('is good for a year, or as long as it is told', async () => {
    const yearly = read(await issued())
    expect(new Date(yearly.validFrom)).toEqual(now)
    expect(new Date(yearly.validTo)).toEqual(later(8_760 * HOUR_MS))
    expect(new Date(read(await issued({ lifetimeMs: HOUR_MS })).validTo)).toEqual(later(HOUR_MS))
  })

  test('ends with its authority', async () => {
    const long = read(await issued({ lifetimeMs: 100_000 * HOUR_MS }))
    expect(long.validTo).toBe(read(talos).validTo)
  })

  test('has a number of its own, of up to 128 bits', async () => {
    const numbers = await Promise.all([issued(), issued(), issued()])
    const distinct = new Set(numbers.map((one) => read(one).serialNumber))
    expect(distinct.size).toBe(3)
    for (const number of distinct) expect(number.length).toBeLessThanOrEqual(32)
  })
})

describe('the certificate of the administrator of Kubernetes', () => {
  test('is a member of system:masters, from ten seconds ago', async () => {
    const own = await kubernetesAdminCertificate({ ca: kubernetes, now })
    const found = read(own)
    expect(found.subject).toBe('O=system:masters\nCN=admin')
    expect(new Date(found.validFrom)).toEqual(later(-10_000))
    expect(new Date(found.validTo)).toEqual(later(8_760 * HOUR_MS))
    expect(found.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    // Key usage, critical: signs what it says, and may hide keys.
    expect(found.raw.includes(Buffer.from('0603551d0f0101ff0404030205a0', 'hex'))).toBe(true)
    expect(found.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
    expect(firstPemBlock(own.key.open())?.label).toBe('EC PRIVATE KEY')
  })

  test('lives as long as it is told', async () => {
    const short = { ca: kubernetes, lifetimeMs: HOUR_MS, now }
    expect(new Date(read(await kubernetesAdminCertificate(short)).validTo)).toEqual(later(HOUR_MS))
  })
})

test('any other user of Kubernetes has its name and groups', async () => {
  const user = { ca: kubernetes, user: 'system:kube-scheduler', groups: [], now }
  expect(read(await kubernetesClientCertificate(user)).subject).toBe('CN=system:kube-scheduler')
})

test('an authority of RSA, as kubeadm makes them, issues RSA', { timeout: 60_000 }, async () => {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const validity = { notBefore: now, notAfter: later(8_760 * HOUR_MS) }
  const { certificate } = createAuthority('kubernetes', plainPem(key), validity)

  const own = await kubernetesAdminCertificate({ ca: { certificate, key: talosPem(key) }, now })
  expect(read(own).publicKey.asymmetricKeyType).toBe('rsa')
  expect(read(own).verify(new X509Certificate(certificate).publicKey)).toBe(true)
  expect(firstPemBlock(own.key.open())?.label).toBe('RSA PRIVATE KEY')
})
