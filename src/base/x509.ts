import { createPrivateKey, createPublicKey, generateKeyPairSync, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import type { Extension } from '@peculiar/x509'
import { Secret } from './secret.ts'

/** A certificate and the private key that belongs to it, both PEM. */
export interface Credentials {
  certificate: string
  key: Secret<string>
}

export interface Validity {
  notBefore: Date
  notAfter: Date
}

/** What a certificate is to say. */
export interface CertificateRequest {
  /** For a client: the user. */
  commonName: string
  /** For a client: the groups. */
  organizations?: readonly string[]
  usage: 'server' | 'client'
  /** Names and addresses by which a server is reached. */
  hosts?: readonly string[]
  validity: Validity
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A new private key on the curve P-256, PEM (PKCS #8). */
export function createKey(): Secret<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
}

/** The certificate of a new authority that signs with this key. It can certify no other authority. */
export async function createAuthority(
  commonName: string,
  key: Secret<string>,
  validity: Validity,
): Promise<Credentials> {
  const x509 = await loadLibrary()
  const keys = await keyPairOf(key)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: new x509.Name([{ CN: [{ utf8String: commonName }] }]),
    keys,
    ...validity,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { certificate: certificate.toString('pem'), key }
}

/** A certificate with a key of its own, signed by the authority. Never outlives the authority. */
export async function issueCertificate(
  authority: Credentials,
  request: CertificateRequest,
): Promise<Credentials> {
  const x509 = await loadLibrary()
  const issuer = new x509.X509Certificate(authority.certificate)
  const { privateKey: signingKey } = await keyPairOf(authority.key)
  const key = createKey()
  const { publicKey } = await keyPairOf(key)
  const certificate = await x509.X509CertificateGenerator.create({
    // Not as text: a comma in a name would begin a new part.
    subject: new x509.Name(subjectOf(request)),
    issuer: issuer.subjectName,
    publicKey,
    signingKey,
    notBefore: request.validity.notBefore,
    notAfter: earlier(request.validity.notAfter, issuer.notAfter),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      ...extensionsOf(request, x509),
    ],
  })
  return { certificate: certificate.toString('pem'), key }
}

type Library = typeof import('@peculiar/x509')

/** Takes a sixth of a second the first time: so it is loaded only where something is created. */
async function loadLibrary(): Promise<Library> {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

const subjectOf = ({ commonName, organizations = [] }: CertificateRequest) => [
  ...organizations.map((name) => ({ O: [{ utf8String: name }] })),
  { CN: [{ utf8String: commonName }] },
]

function extensionsOf({ usage, hosts = [] }: CertificateRequest, x509: Library): Extension[] {
  const purpose = usage === 'server' ? 'serverAuth' : 'clientAuth'
  const extensions: Extension[] = [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[purpose]]),
  ]
  if (hosts.length > 0) {
    const names = hosts.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }) as const)
    extensions.push(new x509.SubjectAlternativeNameExtension(names))
  }
  return extensions
}

async function keyPairOf(key: Secret<string>): Promise<webcrypto.CryptoKeyPair> {
  const privateKey = createPrivateKey(key.open())
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
  const spki = createPublicKey(key.open()).export({ type: 'spki', format: 'der' })
  return {
    privateKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']),
    publicKey: await webcrypto.subtle.importKey('spki', spki, ALGORITHM, true, ['verify']),
  }
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other)
