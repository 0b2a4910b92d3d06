import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { User } from '#apiserver/request.ts'
import type { Clock } from '#base/clock.ts'
import { peerCertificate } from '#base/peer-certificate.ts'

/** Whom a connection's client certificate names. Refused: there is one, and it is not good. */
export type CertificateVerdict = { user: User } | 'none' | 'refused'

interface Known {
  user: User
  validFrom: number
  validTo: number
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/**
 * Reads client certificates of connections whose server asks for one (`requestCert`), lets every client in
 * (`rejectUnauthorized: false`) and trusts only our authority (`ca`). Looks once per connection.
 */
export class CertificateUsers {
  readonly #clock: Clock
  readonly #known = new WeakMap<TLSSocket, Known | 'none' | 'refused'>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  verdictOn(socket: TLSSocket): CertificateVerdict {
    let known = this.#known.get(socket)
    if (known === undefined) {
      known = read(socket)
      this.#known.set(socket, known)
    }
    if (typeof known === 'string') return known
    // A connection may be older than what is left of its certificate's life.
    const now = this.#clock.now().getTime()
    return known.validFrom <= now && now < known.validTo ? known : 'refused'
  }
}

function read(socket: TLSSocket): Known | 'none' | 'refused' {
  const certificate = peerCertificate(socket)
  if (!certificate) return 'none'
  // OpenSSL accepts a certificate that says nothing about its use.
  if (!socket.authorized || !certificate.keyUsage?.includes(CLIENT_AUTH)) return 'refused'
  const user = userIn(certificate)
  if (!user) return 'none'
  return {
    user,
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
  }
}

function userIn(certificate: X509Certificate): User | undefined {
  // The parsed form: in the text, a line break within a name could pass for the next name.
  const { subject } = certificate.toLegacyObject()
  const name = listOf(subject.CN).at(-1)
  if (!name) return undefined
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase()
  return {
    name,
    groups: listOf(subject.O),
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  }
}

/** Node gives a text for one value and a list for several. */
const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
