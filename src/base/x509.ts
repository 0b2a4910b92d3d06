import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { bits, explicit, integer, NULL, objectId, sequence, setOf, text, time } from './der.ts'
import { Secret } from './secret.ts'
import { authorityExtensions, type CertificateUsage, leafExtensions } from './x509-extensions.ts'
import { readIssuer } from './x509-issuer.ts'

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
  commonName?: string
  /** For a client: the groups. */
  organizations?: readonly string[]
  usage: CertificateUsage
  /** Whether its key may also be used to hide other keys, as TLS before 1.3 did with RSA. */
  encipherment?: boolean
  /** Names and addresses by which a server is reached. */
  hosts?: readonly string[]
  validity: Validity
  /** The private key of the owner, PEM. Left out: a new one on the curve P-256. */
  key?: Secret<string>
}

/** Who an authority is. */
export interface AuthorityRequest {
  commonName?: string
  organizations?: readonly string[]
  /** For what else its key may be used. Left out: it certifies leaves, no authorities, and that is all. */
  usage?: CertificateUsage
}

/** A new private key on the curve P-256, PEM (PKCS #8). */
export function createKey(): Secret<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
}

/** The certificate of a new authority that signs with this key; a text is its common name. */
export function createAuthority(
  name: string | AuthorityRequest,
  key: Secret<string>,
  validity: Validity,
): Credentials {
  const request = typeof name === 'string' ? { commonName: name } : name
  const signingKey = createPrivateKey(key.open())
  const publicKey = encodedPublicKey(signingKey)
  const subject = nameOf(request)
  const certificate = signed(signingKey, {
    ...{ subject, issuer: subject, validity, publicKey },
    extensions: authorityExtensions(publicKey, request.usage),
  })
  return { certificate, key }
}

/** A certificate with a key of its own, signed by the authority. Never outlives the authority. */
export function issueCertificate(authority: Credentials, request: CertificateRequest): Credentials {
  const issuer = readIssuer(authority.certificate)
  const key = request.key ?? createKey()
  const { notBefore, notAfter } = request.validity
  const certificate = signed(createPrivateKey(authority.key.open()), {
    subject: nameOf(request),
    issuer: issuer.subject,
    validity: { notBefore, notAfter: earlier(notAfter, issuer.notAfter) },
    publicKey: encodedPublicKey(createPrivateKey(key.open())),
    extensions: leafExtensions(request, issuer.keyId),
  })
  return { certificate, key }
}

interface Certified {
  subject: Buffer
  issuer: Buffer
  validity: Validity
  /** As a SubjectPublicKeyInfo. */
  publicKey: Buffer
  extensions: Buffer
}

const VERSION_3 = explicit(0, integer(Buffer.from([2])))

function signed(key: KeyObject, certified: Certified): string {
  const { subject, issuer, publicKey, extensions } = certified
  const { notBefore, notAfter } = certified.validity
  const { algorithm, digest } = signatureBy(key)
  const toBeSigned = sequence(
    VERSION_3,
    integer(serialNumber()),
    algorithm,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey,
    explicit(3, extensions),
  )
  return pem(sequence(toBeSigned, algorithm, bits(sign(digest, toBeSigned, key))))
}

/** What a signature with this key is called, and the digest that is signed; none if it is not for us to say. */
function signatureBy(key: KeyObject): { algorithm: Buffer; digest: string | null } {
  switch (key.asymmetricKeyType) {
    case 'ec':
      return { algorithm: sequence(objectId('1.2.840.10045.4.3.2')), digest: 'sha256' }
    case 'rsa':
      return { algorithm: sequence(objectId('1.2.840.113549.1.1.13'), NULL), digest: 'sha512' }
    case 'ed25519':
      return { algorithm: sequence(objectId('1.3.101.112')), digest: null }
    default:
      throw new TypeError(`certificates are not signed with a key of type ${key.asymmetricKeyType}`)
  }
}

/** As bytes, not as text: a comma in a name begins nothing. */
const nameOf = ({ commonName, organizations = [] }: Subject): Buffer =>
  sequence(
    ...organizations.map((name) => setOf(sequence(objectId('2.5.4.10'), text(name)))),
    ...(commonName === undefined ? [] : [setOf(sequence(objectId('2.5.4.3'), text(commonName)))]),
  )

type Subject = Pick<CertificateRequest, 'commonName' | 'organizations'>

const encodedPublicKey = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ type: 'spki', format: 'der' })

/** Nobody can guess it, and none is given twice. */
const serialNumber = (): Buffer => randomBytes(16)

const pem = (bytes: Buffer): string => {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `${['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n')}\n`
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other)
