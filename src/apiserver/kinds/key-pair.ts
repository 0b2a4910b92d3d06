import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { pemBlocksIn } from './pem.ts'

/** What is wrong with a certificate and its key in PEM, in the words of Go; undefined if they fit. */
export function problemOfKeyPair(certificate: string, key: string): string | undefined {
  const [found, foundKey] = [pemBlocksIn(certificate), pemBlocksIn(key)]
  const first = found.find(({ type }) => type === 'CERTIFICATE')
  if (!first) return noCertificate(found.map(({ type }) => type))
  const own = foundKey.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'))
  if (!own) return noKey(foundKey.map(({ type }) => type))
  const parsed = tryTo(() => new X509Certificate(first.block))
  if (!parsed) return 'x509: malformed certificate'
  const parsedKey = tryTo(() => createPrivateKey(own.block))
  if (!parsedKey) return 'tls: failed to parse private key'
  return mismatch(parsed, parsedKey)
}

function mismatch(certificate: X509Certificate, key: KeyObject): string | undefined {
  if (certificate.publicKey.asymmetricKeyType !== key.asymmetricKeyType)
    return 'tls: private key type does not match public key type'
  return certificate.checkPrivateKey(key) ? undefined : 'tls: private key does not match public key'
}

function noCertificate(types: readonly string[]): string {
  const [only, ...others] = types
  if (only === undefined) return 'tls: failed to find any PEM data in certificate input'
  return others.length === 0 && only.endsWith('PRIVATE KEY')
    ? 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
    : `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`
}

function noKey(types: readonly string[]): string {
  const [only, ...others] = types
  if (only === undefined) return 'tls: failed to find any PEM data in key input'
  return others.length === 0 && only === 'CERTIFICATE'
    ? 'tls: found a certificate rather than a key in the PEM for the private key'
    : `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`
}

function tryTo<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
