import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { Secret } from './secret.ts'
import {
  type CertificateRequest,
  type Credentials,
  createAuthority,
  createKey,
  issueCertificate,
} from './x509.ts'

const validity = {
  notBefore: new Date('2030-01-01T00:00:00Z'),
  notAfter: new Date('2031-01-01T00:00:00Z'),
}

const anAuthority = (commonName = 'authority') => createAuthority(commonName, createKey(), validity)

const issued = (request: Partial<CertificateRequest>, authority = anAuthority()) =>
  issueCertificate(authority, { commonName: 'x', usage: 'client', validity, ...request })

const read = ({ certificate }: Credentials) => new X509Certificate(certificate)

/** By its name, its key and its signature. */
const isFrom = (one: Credentials, authority: Credentials) =>
  read(one).checkIssued(read(authority)) && read(one).verify(read(authority).publicKey)

const pemOf = (key: KeyObject) =>
  new Secret(key.export({ type: 'pkcs8', format: 'pem' }).toString())

test('an authority signs itself and is good for one level', () => {
  const authority = anAuthority()

  const found = read(authority)
  expect(found.ca).toBe(true)
  expect(found.verify(found.publicKey)).toBe(true)
  expect(found.subject).toBe('CN=authority')
  expect(new Date(found.validFrom)).toEqual(validity.notBefore)
  expect(new Date(found.validTo)).toEqual(validity.notAfter)
  expect(`${authority.key}`).toBe('***')
  // Basic constraints, critical: an authority, with none below it.
  expect(found.raw.includes(hex('0603551d130101ff040830060101ff020100'))).toBe(true)
  // Key usage, critical: signs certificates and lists of those withdrawn.
  expect(found.raw.includes(hex('0603551d0f0101ff040403020106'))).toBe(true)
})

test('a server certificate names its hosts and serves servers only', () => {
  const authority = anAuthority()

  const hosts = ['localhost', '127.0.0.1', '::1', '2001:db8::8:800:200c:417a', '::ffff:10.0.0.1']
  const found = read(issued({ usage: 'server', hosts }, authority))
  expect(found.checkIssued(read(authority))).toBe(true)
  expect(found.verify(read(authority).publicKey)).toBe(true)
  expect(found.checkHost('localhost')).toBe('localhost')
  for (const address of hosts.slice(1)) expect(found.checkIP(address)).toBe(address)
  expect(found.subjectAltName?.split(', ')).toHaveLength(hosts.length)
  expect(found.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect(found.ca).toBe(false)
  // Key usage, critical: signs what it says, and nothing else.
  expect(found.raw.includes(hex('0603551d0f0101ff040403020780'))).toBe(true)
})

test('an address that fills all its groups is written as it is', () => {
  const address = '2001:db8:1:2:3:4:5:6'
  expect(read(issued({ usage: 'server', hosts: [address] })).checkIP(address)).toBe(address)
})

test('a client certificate tells a user and groups, whatever characters they hold', () => {
  const found = read(
    issued({ commonName: 'jörg, CN=admin + O=x', organizations: ['#1, O=system:masters', 'two'] }),
  )

  const { subject } = found.toLegacyObject()
  expect({ ...subject }).toEqual({
    CN: 'jörg, CN=admin + O=x',
    O: ['#1, O=system:masters', 'two'],
  })
  expect(found.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  expect(found.subjectAltName).toBeUndefined()
})

test('a peer is a server and a client', () => {
  expect(read(issued({ usage: 'peer' })).keyUsage).toEqual([
    '1.3.6.1.5.5.7.3.1',
    '1.3.6.1.5.5.7.3.2',
  ])
})

test('each certificate has a key and a number of its own', () => {
  const authority = anAuthority()
  const all = [issued({}, authority), issued({}, authority), authority]

  expect(new Set(all.map((one) => read(one).serialNumber)).size).toBe(3)
  for (const one of all) {
    const own = createPublicKey(one.key.open()).export({ type: 'spki', format: 'pem' })
    expect(read(one).publicKey.export({ type: 'spki', format: 'pem' })).toBe(own)
  }
})

test('no certificate outlives its authority', () => {
  const longer = { ...validity, notAfter: new Date('2040-01-01T00:00:00Z') }
  expect(new Date(read(issued({ validity: longer })).validTo)).toEqual(validity.notAfter)
})

test.each([
  ['2049-12-31T23:59:59Z', 'the last with two digits'],
  ['2050-01-01T00:00:00Z', 'the first with four'],
])('a certificate can end at %s: %s', (end) => {
  const authority = createAuthority('x', createKey(), { ...validity, notAfter: new Date(end) })
  expect(new Date(read(authority).validTo)).toEqual(new Date(end))
})

test('an authority that lost its certificate gets one that old certificates chain to', () => {
  const first = anAuthority()
  const second = createAuthority('authority', first.key, validity)

  expect(isFrom(issued({}, first), second)).toBe(true)
})

test('one of the same name with another key is not taken for the issuer', () => {
  expect(read(issued({}, anAuthority())).checkIssued(read(anAuthority()))).toBe(false)
})

test.each([
  ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
  ['Ed25519', () => generateKeyPairSync('ed25519').privateKey],
  ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
])('an authority may sign with %s', (_, generate) => {
  const authority = createAuthority('authority', pemOf(generate()), validity)

  expect(isFrom(authority, authority)).toBe(true)
  expect(isFrom(issued({}, authority), authority)).toBe(true)
})

test('an authority may have a usage of its own, and then is not confined to leaves', () => {
  const request = { organizations: ['one'], usage: 'peer' } as const
  const authority = createAuthority(request, createKey(), validity)

  const found = read(authority)
  expect(found.ca).toBe(true)
  expect(found.subject).toBe('O=one')
  expect(found.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  // Basic constraints, critical: an authority, with any number below it.
  expect(found.raw.includes(hex('0603551d130101ff040530030101ff'))).toBe(true)
  // Key usage, critical: signs what it says, and certificates.
  expect(found.raw.includes(hex('0603551d0f0101ff040403020284'))).toBe(true)
  expect(isFrom(issued({}, authority), authority)).toBe(true)
})

test('an authority may be nobody', () => {
  const authority = createAuthority({}, createKey(), validity)

  expect(read(authority).subject).toBeUndefined()
  expect(isFrom(issued({}, authority), authority)).toBe(true)
})

test('a certificate is for the key that is given', () => {
  const key = pemOf(generateKeyPairSync('ed25519').privateKey)

  const own = issued({ key })
  expect(own.key).toBe(key)
  expect(read(own).publicKey.equals(createPublicKey(key.open()))).toBe(true)
})

test('a key may be allowed to hide other keys', () => {
  const allowed = read(issued({ encipherment: true }))
  expect(allowed.raw.includes(hex('0603551d0f0101ff0404030205a0'))).toBe(true)
})

test.each([
  ['nobody', {}, true],
  ['somebody', { commonName: 'x' }, false],
  ['members', { organizations: ['x'] }, false],
])('of %s, the hosts are what matters', (_, name, isCritical) => {
  const request = { ...name, usage: 'server', hosts: ['localhost'], validity } as const
  const { raw, subjectAltName } = read(issueCertificate(anAuthority(), request))

  expect(subjectAltName).toBe('DNS:localhost')
  expect(raw.includes(hex('0603551d110101ff'))).toBe(isCritical)
})

test('leaves say nothing of authorities', () => {
  expect(read(issued({})).raw.includes(hex('0603551d13'))).toBe(false)
})

test('keys that certificates cannot be signed with are refused', () => {
  const { privateKey } = generateKeyPairSync('x25519')
  expect(() => createAuthority('authority', pemOf(privateKey), validity)).toThrow('x25519')
})

// By openssl: its name as PrintableStrings, which we do not write, and a key ID that is no digest of its key.
const FOREIGN = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBeTCCAR6gAwIBAgIUe4jMRPSYfyFn1+UsablZEjfJtowwCgYIKoZIzj0EAwIw
ITEOMAwGA1UEChMFb3RoZXIxDzANBgNVBAMTBnRoZWlyczAgFw0yNjExMTYwNjQ1
NThaGA8yMTI2MTAyMzA2NDU1OFowITEOMAwGA1UEChMFb3RoZXIxDzANBgNVBAMT
BnRoZWlyczBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBN3/Mj3HYaACyN+Zoag
4uqAaKH8ydFolDg1MmMUa2lkJ/P5+26kl1Z6rPZEC0PyKPVQEI+M7RM7kzijYRib
R+CjMjAwMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMA0GA1UdDgQG
BAQBAgMEMAoGCCqGSM49BAMCA0kAMEYCIQCgIekXJGc4dTXqV5G4hpruzlF/13XE
o6yJf0EntKaSSQIhAPFSfIGDA8kHeW4mc/8p+HyNZmHNLTVn27iy1pGZB/Xa
-----END CERTIFICATE-----`,
  key: new Secret(`-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKwrv2qTvn/VWeIEe
Nh3YMVCiT7gaSkqrowIEpmr+9OihRANCAAQTd/zI9x2GgAsjfmaGoOLqgGih/MnR
aJQ4NTJjFGtpZCfz+ftupJdWeqz2RAtD8ij1UBCPjO0TO5M4o2EYm0fg
-----END PRIVATE KEY-----`),
}

test('an authority that another program made keeps its name, byte by byte', () => {
  const leaf = issued({}, FOREIGN)

  expect(isFrom(leaf, FOREIGN)).toBe(true)
  expect(read(leaf).issuer).toBe('O=other\nCN=theirs')
})

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex')
