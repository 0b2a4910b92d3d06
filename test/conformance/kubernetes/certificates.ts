import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type CertificateRequest,
  createKey,
  createAuthority as createOwnAuthority,
  issueCertificate,
} from '#base/x509.ts'

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
  issueServer(commonName: string): Credentials
  /** For a client; `organization` becomes its Kubernetes group. */
  issueClient(commonName: string, organization: string): Credentials
}

export function createAuthority(): Authority {
  const root = createOwnAuthority('talos-operator tests', createKey(), validity())
  const issue = (request: Omit<CertificateRequest, 'validity'>): Credentials => {
    const { certificate, key } = issueCertificate(root, { ...request, validity: validity() })
    return { certificate, key: key.open() }
  }
  return {
    certificate: root.certificate,
    issueServer: (commonName) =>
      issue({ commonName, usage: 'peer', hosts: ['127.0.0.1', 'localhost'] }),
    issueClient: (commonName, organization) =>
      issue({ commonName, organizations: [organization], usage: 'client' }),
  }
}

/** An RSA key pair, PEM, as service-account tokens are signed with. */
export const createSigningKeys = (): Promise<{ publicKey: string; privateKey: string }> =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

const validity = () => ({
  notBefore: new Date(Date.now() - ONE_DAY_MS),
  notAfter: new Date(Date.now() + ONE_DAY_MS),
})
