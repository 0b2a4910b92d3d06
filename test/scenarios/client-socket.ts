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
    this.#authority = new X509Certificate(authority)
    this.#clock = clock
  }

  /** One that says who the client is, as far as the API looks at it. */
  of({ certificate: shown }: Credentials): TLSSocket {
    if (!shown) return ANYONE
    const known = this.#known.get(shown.certificate)
    if (known) return known
    const certificate = new X509Certificate(shown.certificate)
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
  return isNow && authorities.some((one) => certificate.verify(one.publicKey))
}

/** The certificates of a PEM text, each in one line. */
export const certificatesIn = (pem: string): string[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((one) =>
    one.replaceAll(/\s/g, ''),
  )
