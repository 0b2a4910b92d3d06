import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Clock } from '#base/clock.ts'
import { problem } from '#base/problem.ts'
import { Secret } from '#base/secret.ts'
import {
  type CertificateRequest,
  type Credentials,
  createAuthority,
  createKey,
  issueCertificate,
  type Validity,
} from '#base/x509.ts'
import type { KeyFiles } from './key-files.ts'

/** What the API proves its identity with, and knows others by. */
export interface Keys {
  /** The certificate that all others are signed with, PEM. Clients are given it. */
  authority: string
  server: Credentials
  /** A client that may do everything. */
  admin: Credentials
  /** Signs the tokens of service accounts. */
  accountKey: KeyObject
  /** When to open the keys again: by then a certificate should be replaced. */
  renewAt: Date
}

interface KeysOptions {
  files: KeyFiles
  clock: Clock
  /** See `serverNames`. Another list than last time makes a new server certificate. */
  hosts: readonly string[]
}

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS
const AUTHORITY = 'talos-operator'

/**
 * The keys as they lie in the files, and those created that are missing: the authority once and for
 * ever, certificates also when half of their life is over. Throws when what is there cannot be used
 * and must not be replaced.
 */
export async function openKeys({ files, clock, hosts }: KeysOptions): Promise<Keys> {
  const now = clock.now()
  const authority = await openAuthority(files, now)
  const open = (name: string, request: Omit<CertificateRequest, 'validity'>) =>
    openCertificate({ files, authority, now, name, request })
  // Each write waits for the disk: they wait together.
  const [server, admin, accountKey] = await Promise.all([
    open('server', { commonName: 'kube-apiserver', usage: 'server', hosts }),
    open('admin', { commonName: 'admin', organizations: ['system:masters'], usage: 'client' }),
    openAccountKey(files),
  ])
  return {
    authority: authority.certificate,
    server,
    admin,
    accountKey,
    renewAt: new Date(Math.min(halfLife(server), halfLife(admin))),
  }
}

async function openAuthority(files: KeyFiles, now: Date): Promise<Credentials> {
  const key = await files.read('ca.key')
  const certificate = (await files.read('ca.crt'))?.open()
  if (certificate === undefined) return newAuthority(files, { key, now })
  if (key === undefined || !isPair(certificate, key)) {
    throw unusable('ca.key', 'it is missing, or is not the key of ca.crt')
  }
  if (new Date(new X509Certificate(certificate).validTo) <= now) {
    throw unusable('ca.crt', 'it has expired')
  }
  return { certificate, key }
}

/** A key without a certificate is what a crash left between the two writes: it is as good as new. */
async function newAuthority(
  files: KeyFiles,
  { key: left, now }: { key: Secret<string> | undefined; now: Date },
): Promise<Credentials> {
  const key = left ?? createKey()
  if (!isKey(key)) throw unusable('ca.key', 'it is no private key')
  if (!left) await files.write('ca.key', key)
  const authority = createAuthority(AUTHORITY, key, validFor(10 * YEAR_MS, now))
  await files.write('ca.crt', new Secret(authority.certificate))
  return authority
}

interface Wanted {
  files: KeyFiles
  authority: Credentials
  now: Date
  name: string
  request: Omit<CertificateRequest, 'validity'>
}

async function openCertificate(wanted: Wanted): Promise<Credentials> {
  const { files, authority, now, name, request } = wanted
  const key = await files.read(`${name}.key`)
  const certificate = (await files.read(`${name}.crt`))?.open()
  if (key && certificate && isFit({ certificate, key }, wanted)) return { certificate, key }
  const issued = issueCertificate(authority, { ...request, validity: validFor(YEAR_MS, now) })
  await Promise.all([
    files.write(`${name}.key`, issued.key),
    files.write(`${name}.crt`, new Secret(issued.certificate)),
  ])
  return issued
}

function isFit(found: Credentials, { authority, now, request }: Wanted): boolean {
  // A certificate that cannot be read, or is not the key's, is what a crash between two writes leaves.
  if (!isPair(found.certificate, found.key)) return false
  const certificate = new X509Certificate(found.certificate)
  const issuer = new X509Certificate(authority.certificate)
  return (
    certificate.checkIssued(issuer) &&
    certificate.verify(issuer.publicKey) &&
    new Date(certificate.validFrom) <= now &&
    halfLife(found) > now.getTime() &&
    isFor(certificate, request.hosts ?? [])
  )
}

function isFor(certificate: X509Certificate, hosts: readonly string[]): boolean {
  const named = certificate.subjectAltName?.split(', ').length ?? 0
  const isNamed = (host: string) =>
    isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host, { subject: 'never' })
  return named === hosts.length && hosts.every(isNamed)
}

async function openAccountKey(files: KeyFiles): Promise<KeyObject> {
  const found = await files.read('service-accounts.key')
  if (found && !isKey(found)) throw unusable('service-accounts.key', 'it is no private key')
  // ES256: signs many times faster than RS256, with 64 bytes where that takes 256.
  const key = found ?? createKey()
  if (!found) await files.write('service-accounts.key', key)
  return createPrivateKey(key.open())
}

function isPair(certificate: string, key: Secret<string>): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key.open()))
  } catch {
    return false
  }
}

function isKey(key: Secret<string>): boolean {
  try {
    return createPrivateKey(key.open()).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/** From an hour ago: clocks of clients differ. */
const validFor = (lifeMs: number, now: Date): Validity => ({
  notBefore: new Date(now.getTime() - HOUR_MS),
  notAfter: new Date(now.getTime() + lifeMs),
})

function halfLife({ certificate }: Credentials): number {
  const { validFrom, validTo } = new X509Certificate(certificate)
  return (Date.parse(validFrom) + Date.parse(validTo)) / 2
}

const unusable = (file: string, what: string): Error =>
  problem({
    what: `The file ${file} in the pki folder of the data directory cannot be used: ${what}.`,
    why: 'Everyone who was given a certificate or a token trusts these files; a new one would lock them out.',
    remedy:
      'Put the file back from a backup; or, if there is none, remove the whole pki folder and hand out the kubeconfig anew.',
  })
