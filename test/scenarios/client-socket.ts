import { X509Certificate } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import type { Clock } from '#base/clock.ts'
import type { Credentials } from '#kube/access.ts'

/** Stands for a connection on which nobody showed a certificate. */
export const ANYONE: TLSSocket = Object.create(TLSSocket.prototype, {
  authorized: { value: false },
  getPeerCertificate: { value: () => ({}) },
})

/** The connections of clients in this process to a server that knows one authority. */
export class ClientSockets {
  readonly #authority: X509Certificate
  readonly #clock: Clock
  readonly #known = new Map<string, TLSSocket>()

  constructor(authority: string, clock: Clock) {
    this.#authority = certificateOf(authority)
    this.#clock = clock
  }

  /** One that says who the client is, as far as the API looks at it. */
  of({ certificate: shown }: Credentials): TLSSocket {
    if (!shown) return ANYONE
    const known = this.#known.get(shown.certificate)
    if (known) return known
    const certificate = certificateOf(shown.certificate)
    const socket: TLSSocket = Object.create(TLSSocket.prototype, {
      authorized: { value: isGood(certificate, [this.#authority], this.#clock) },
      getPeerCertificate: { value: () => certificate },
    })
    this.#known.set(shown.certificate, socket)
    return socket
  }
}

/** Whether one of the authorities made a certificate that is good now. */
export function isGood(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
  clock: Clock,
): boolean {
  const now = clock.now().getTime()
  const isNow = Date.parse(certificate.validFrom) <= now && now < Date.parse(certificate.validTo)
  return isNow && authorities.some((one) => isSignedBy(certificate, one))
}

const verified = new WeakMap<X509Certificate, WeakMap<X509Certificate, boolean>>()

function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  const known = verified.get(certificate) ?? new WeakMap<X509Certificate, boolean>()
  verified.set(certificate, known)
  const isSigned = known.get(authority) ?? certificate.verify(authority.publicKey)
  known.set(authority, isSigned)
  return isSigned
}

// Enough for one world. The same few are shown at every dial, and to read one takes longer than most calls do.
const REMEMBERED = 64
const read = new Map<string, X509Certificate>()

/** The certificate that a PEM text begins with. */
export function certificateOf(pem: string): X509Certificate {
  const certificate = read.get(pem) ?? new X509Certificate(pem)
  if (read.size >= REMEMBERED) read.clear()
  read.set(pem, certificate)
  return certificate
}

/** The certificates of a PEM text, each in one line. */
export const certificatesIn = (pem: string): string[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((one) =>
    one.replaceAll(/\s/g, ''),
  )
