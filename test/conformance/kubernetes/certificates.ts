import 'reflect-metadata'
import { generateKeyPair, webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const ONE_DAY_MS = 86_400_000

/** A certificate with its private key, both PEM. */
export interface Credentials {
  certificate: string
  key: string
}

/** A throw-away CA for one test cluster. */
export interface Authority {
  /** The CA's own certificate, PEM. */
  certificate: string
  /** For a server on loopback that also acts as a client of its peers. */
  issueServer(commonName: string): Promise<Credentials>
  /** For a client; `organization` becomes its Kubernetes group. */
  issueClient(commonName: string, organization: string): Promise<Credentials>
}

export async function createAuthority(): Promise<Authority> {
  const keys = await newKeys()
  const root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=talos-operator tests',
    keys,
    ...validity(),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  })
  const issue = issuer(root, keys)

  return {
    certificate: root.toString('pem'),
    issueServer: (commonName) =>
      issue(`CN=${commonName}`, [
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        new SubjectAlternativeNameExtension([
          { type: 'ip', value: '127.0.0.1' },
          { type: 'dns', value: 'localhost' },
        ]),
      ]),
    issueClient: (commonName, organization) =>
      issue(`O=${organization}, CN=${commonName}`, [
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      ]),
  }
}

/** An RSA key pair, PEM, as service-account tokens are signed with. */
export const createSigningKeys = (): Promise<{ publicKey: string; privateKey: string }> =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

const issuer =
  (root: X509Certificate, { privateKey }: webcrypto.CryptoKeyPair) =>
  async (subject: string, extensions: Extension[]): Promise<Credentials> => {
    const keys = await newKeys()
    const certificate = await X509CertificateGenerator.create({
      subject,
      issuer: root.subject,
      publicKey: keys.publicKey,
      signingKey: privateKey,
      ...validity(),
      signingAlgorithm: ALGORITHM,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        await AuthorityKeyIdentifierExtension.create(root),
        ...extensions,
      ],
    })
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
    return {
      certificate: certificate.toString('pem'),
      key: PemConverter.encode(key, 'PRIVATE KEY'),
    }
  }

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const validity = () => ({
  notBefore: new Date(Date.now() - ONE_DAY_MS),
  notAfter: new Date(Date.now() + ONE_DAY_MS),
})
