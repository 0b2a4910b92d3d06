import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { flags, implicit, integer, objectId, octets, sequence, TRUE, valuesIn } from './der.ts'

/** Whom a certificate shows its owner to: clients, servers, or both. */
export type CertificateUsage = 'server' | 'client' | 'peer'

export const SUBJECT_KEY_ID = objectId('2.5.29.14')
const KEY_USAGE = objectId('2.5.29.15')
const ALTERNATIVE_NAMES = objectId('2.5.29.17')
const BASIC_CONSTRAINTS = objectId('2.5.29.19')
const AUTHORITY_KEY_ID = objectId('2.5.29.35')
const EXTENDED_KEY_USAGE = objectId('2.5.29.37')

const SERVER_AUTH = objectId('1.3.6.1.5.5.7.3.1')
const CLIENT_AUTH = objectId('1.3.6.1.5.5.7.3.2')
const PURPOSES: Readonly<Record<CertificateUsage, readonly Buffer[]>> = {
  server: [SERVER_AUTH],
  client: [CLIENT_AUTH],
  peer: [SERVER_AUTH, CLIENT_AUTH],
}

const [DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, KEY_CERT_SIGN, CRL_SIGN] = [0, 2, 5, 6]

/**
 * What the certificate of an authority says besides: that it is one; of leaves only, unless it has a
 * usage of its own.
 */
export const authorityExtensions = (publicKey: Buffer, usage?: CertificateUsage): Buffer =>
  sequence(
    ...(usage ? ownUsage(usage) : LEAVES_ONLY),
    extension(SUBJECT_KEY_ID, octets(keyIdOf(publicKey))),
  )

interface Leaf {
  commonName?: string
  organizations?: readonly string[]
  usage: CertificateUsage
  encipherment?: boolean
  hosts?: readonly string[]
}

/** What a certificate says besides, if its owner is no authority. */
export const leafExtensions = (leaf: Leaf, issuerKeyId: Buffer): Buffer =>
  sequence(
    critical(KEY_USAGE, flags(DIGITAL_SIGNATURE, ...(leaf.encipherment ? [KEY_ENCIPHERMENT] : []))),
    purposes(leaf.usage),
    extension(AUTHORITY_KEY_ID, sequence(implicit(0, issuerKeyId))),
    ...alternativeNames(leaf),
  )

function alternativeNames({ commonName, organizations = [], hosts = [] }: Leaf): Buffer[] {
  if (hosts.length === 0) return []
  // They are all that tells who it is, if the subject is empty.
  const isNamed = commonName !== undefined || organizations.length > 0
  const write = isNamed ? extension : critical
  return [write(ALTERNATIVE_NAMES, sequence(...hosts.map(hostOf)))]
}

/** What tells the keys of one name apart: the usual digest, which nothing is proven with. */
export function keyIdOf(publicKey: Buffer): Buffer {
  const [whole] = valuesIn(publicKey)
  const [, key] = valuesIn(whole?.content ?? publicKey)
  // The first byte tells how many bits are not used: none.
  return createHash('sha1')
    .update(key?.content.subarray(1) ?? publicKey)
    .digest()
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, octets(value))
}

function critical(id: Buffer, value: Buffer): Buffer {
  return sequence(id, TRUE, octets(value))
}

const purposes = (usage: CertificateUsage): Buffer =>
  extension(EXTENDED_KEY_USAGE, sequence(...PURPOSES[usage]))

const LEAVES_ONLY = [
  critical(BASIC_CONSTRAINTS, sequence(TRUE, integer(Buffer.from([0])))),
  critical(KEY_USAGE, flags(KEY_CERT_SIGN, CRL_SIGN)),
]

const ownUsage = (usage: CertificateUsage): Buffer[] => [
  critical(KEY_USAGE, flags(DIGITAL_SIGNATURE, KEY_CERT_SIGN)),
  purposes(usage),
  critical(BASIC_CONSTRAINTS, sequence(TRUE)),
]

function hostOf(host: string): Buffer {
  const kind = isIP(host)
  if (kind === 0) return implicit(2, Buffer.from(host))
  return implicit(7, kind === 4 ? Buffer.from(host.split('.').map(Number)) : bytesOfSix(host))
}

function bytesOfSix(address: string): Buffer {
  const { hostname } = new URL(`http://[${address}]`)
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '')
  const groups = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'))
  return Buffer.from(groups.join(''), 'hex')
}
