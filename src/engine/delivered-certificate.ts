import { X509Certificate } from 'node:crypto'
import type { CertificateAndKey } from '#machineconfig/secrets/bundle.ts'
import { privateKeyOf } from '#machineconfig/secrets/private-key.ts'

/** By how much the clocks of two operators, of which one takes over, may differ. */
const SKEW_MS = 300_000

/** When a certificate ends, as an annotation says it. */
export const endOf = (certificate: string): string =>
  new Date(new X509Certificate(certificate).validTo).toISOString().replace('.000Z', 'Z')

/** From when to when something can stay as it is, in milliseconds since 1970. */
export interface Term {
  readonly fromMs: number
  readonly untilMs: number
}

/** Whether it is time. */
export const isWithin = ({ fromMs, untilMs }: Term, now: Date): boolean =>
  fromMs <= now.getTime() && now.getTime() < untilMs

/**
 * Until when a client's certificate, if it is one of this authority and with its own key, can stay: up to
 * the half of its life. Undefined if it is not. Throws when one of them cannot be read.
 */
export function termOf(client: CertificateAndKey, authority: string): Term | undefined {
  const [certificate, issuer] = [client.certificate, authority].map(
    (pem) => new X509Certificate(pem),
  )
  if (!certificate || !issuer?.publicKey || !certificate.verify(issuer.publicKey)) {
    return undefined
  }
  if (!certificate.checkPrivateKey(privateKeyOf(client.key))) return undefined
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  // One that ends with its authority cannot be bettered, and would be written again and again.
  const isLast = to >= Date.parse(issuer.validTo)
  return { fromMs: from - SKEW_MS, untilMs: isLast ? Infinity : from + (to - from) / 2 }
}
