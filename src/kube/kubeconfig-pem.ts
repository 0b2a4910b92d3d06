import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { Secret } from '#base/secret.ts'
import type { Credentials } from './access.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

// The errors of the crypto library are not passed on: what they say of a key is not ours to know.

/** The text that base64 stands for. `what` names it in the error, which never shows it. */
export function decodeBase64(base64: string, what: string): string {
  const packed = base64.replace(/\s+/g, '')
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) {
    throw new Error(`${what} is not base64; copy it anew, as one whole`)
  }
  return Buffer.from(packed, 'base64').toString('utf8')
}

/**
 * The certificates in a text, PEM, one below the other; whatever else is in it, a key perhaps, is left
 * out. Throws where there is none or one is broken. `what` names the text in the error.
 */
export function certificatesIn(pem: string, what: string): string {
  const certificates = pem.match(CERTIFICATE) ?? []
  if (certificates.length === 0 || !certificates.every(isCertificate)) {
    throw new Error(`${what} is not a certificate in PEM form (-----BEGIN CERTIFICATE-----)`)
  }
  return certificates.map((one) => `${one}\n`).join('')
}

/** A client certificate with the key that belongs to it; throws where they are not. */
export function clientCertificate(
  pem: { certificate: string; key: string },
  what: { certificate: string; key: string },
): NonNullable<Credentials['certificate']> {
  const certificate = certificatesIn(pem.certificate, what.certificate)
  const key = privateKey(pem.key)
  if (!key) throw new Error(`${what.key} is not a private key in PEM form without a password`)
  // Of several it is the first, which comes before those that vouch for it.
  if (!new X509Certificate(certificate).checkPrivateKey(key)) {
    throw new Error(`${what.key} does not belong to ${what.certificate}`)
  }
  return { certificate, key: new Secret(pem.key) }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

function privateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}
