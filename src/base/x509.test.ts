import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAuthority, createKey, issueCertificate } from './x509.ts'

const validity = {
  notBefore: new Date('2030-01-01T00:00:00Z'),
  notAfter: new Date('2031-01-01T00:00:00Z'),
}

const anAuthority = (commonName = 'authority') => createAuthority(commonName, createKey(), validity)

test('an authority signs itself and is good for one level', async () => {
  const { certificate, key } = await anAuthority()

  const read = new X509Certificate(certificate)
  expect(read.ca).toBe(true)
  expect(read.verify(read.publicKey)).toBe(true)
  expect(read.subject).toBe('CN=authority')
  expect(new Date(read.validFrom)).toEqual(validity.notBefore)
  expect(new Date(read.validTo)).toEqual(validity.notAfter)
  expect(`${key}`).toBe('***')
})

test('a server certificate names its hosts and serves servers only', async () => {
  const authority = await anAuthority()

  const hosts = ['localhost', '127.0.0.1', '::1']
  const issued = await issueCertificate(authority, {
    commonName: 'server',
    usage: 'server',
    hosts,
    validity,
  })
  const read = new X509Certificate(issued.certificate)
  expect(read.checkIssued(new X509Certificate(authority.certificate))).toBe(true)
  expect(read.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true)
  expect(read.checkHost('localhost')).toBe('localhost')
  expect(read.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(read.checkIP('::1')).toBe('::1')
  expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect(read.ca).toBe(false)
})

test('a client certificate tells a user and groups, whatever characters they hold', async () => {
  const issued = await issueCertificate(await anAuthority(), {
    commonName: 'jörg, CN=admin + O=x',
    organizations: ['#1, O=system:masters', 'two'],
    usage: 'client',
    validity,
  })

  const { subject } = new X509Certificate(issued.certificate).toLegacyObject()
  expect({ ...subject }).toEqual({
    CN: 'jörg, CN=admin + O=x',
    O: ['#1, O=system:masters', 'two'],
  })
  expect(new X509Certificate(issued.certificate).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
})

test('no certificate outlives its authority', async () => {
  const issued = await issueCertificate(await anAuthority(), {
    commonName: 'server',
    usage: 'server',
    validity: { ...validity, notAfter: new Date('2040-01-01T00:00:00Z') },
  })

  expect(new Date(new X509Certificate(issued.certificate).validTo)).toEqual(validity.notAfter)
})

test('an authority that lost its certificate gets one that old certificates chain to', async () => {
  const first = await anAuthority()
  const second = await createAuthority('authority', first.key, validity)
  const issued = await issueCertificate(first, { commonName: 'x', usage: 'client', validity })

  const read = new X509Certificate(issued.certificate)
  expect(read.checkIssued(new X509Certificate(second.certificate))).toBe(true)
  expect(read.verify(new X509Certificate(second.certificate).publicKey)).toBe(true)
})
