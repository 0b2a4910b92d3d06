import { X509Certificate } from 'node:crypto'
import type { CertificateAndKey } from '#machineconfig/secrets/bundle.ts'
import { privateKeyOf } from '#machineconfig/secrets/private-key.ts'

/** By how much the clocks of two operators, of which one takes over, may differ. */
const SKEW_MS = 300_000

/** When a certificate ends, as an annotation says it. */
export const endOf = (certificate: string): string =>
  new Date(new X509Certificate(certificate).validTo).toISOString().replace('.000Z', 'Z')

/**
 * Whether a client's certificate is one of this authority, with its own key, and before the half of its
 * life. Throws when one of them cannot be read.
 */
export function isGood(client: CertificateAndKey, authority: string, now: Date): boolean {
  const [certificate, issuer] = [client.certificate, authority].map(
    (pem) => new X509Certificate(pem),
  )
  if (!certificate || !issuer?.publicKey || !certificate.verify(issuer.publicKey)) return false
  if (!certificate.checkPrivateKey(privateKeyOf(client.key))) return false
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  if (from > now.getTime() + SKEW_MS) return false
  // One that ends with its authority cannot be bettered, and would be written again and again.
  return now.getTime() < from + (to - from) / 2 || to >= Date.parse(issuer.validTo)
}
