import { X509Certificate } from 'node:crypto'
import type { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { REDACTED } from '#machineconfig/redacted.ts'
import type { CertificateAndKey } from './bundle.ts'
import { firstPemBlock } from './pem.ts'
import { privateKeyOf } from './private-key.ts'

/** Why Talos would not take a certificate and its key. */
export const pairProblem = ({ certificate, key }: CertificateAndKey): string | undefined =>
  keyProblem(key) ?? certificateProblem(certificate)

/** Why it would not take a private key. */
export function keyProblem(key: Secret<string>): string | undefined {
  if (key.open() === REDACTED) return `${NO_PEM}: the key was redacted`
  try {
    privateKeyOf(key)
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

const NO_PEM = 'failed to parse PEM block'

function certificateProblem(certificate: string): string | undefined {
  const block = firstPemBlock(certificate)
  if (!block) return NO_PEM
  try {
    new X509Certificate(block.der)
    return undefined
  } catch {
    return 'failed to parse certificate: x509: malformed certificate'
  }
}
