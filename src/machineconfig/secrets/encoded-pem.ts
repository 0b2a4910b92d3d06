import { Secret } from '#base/secret.ts'
import { readBase64 } from '#machineconfig/read/leaves/base64.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { REDACTED } from '#machineconfig/redacted.ts'

/** PEM as the files of Talos hold it: once more in base64. */
export const encodedPem = (pem: string): string => Buffer.from(pem).toString('base64')

/** The same for a key, which may have been redacted. */
export function encodedKey(key: Secret<string>): string {
  const pem = key.open()
  return pem === REDACTED ? pem : encodedPem(pem)
}

/** What was encoded, or why it was not. */
export function decodedPem(text: string): string | Refusal {
  const base64 = readBase64(text)
  return base64 instanceof Refusal ? base64 : Buffer.from(base64, 'base64').toString()
}

/** The same for a key, which may have been redacted. */
export function decodedKey(text: string): Secret<string> | Refusal {
  if (text === REDACTED) return new Secret(text)
  const pem = decodedPem(text)
  return pem instanceof Refusal ? pem : new Secret(pem)
}
