import type { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { CertificateAndKey } from './bundle.ts'
import { keyProblem, pairProblem } from './pem-problems.ts'

/** The same certificate and key. Throws a ConfigError with Talos' words if it would not take them. */
export function demandPair(pair: CertificateAndKey): CertificateAndKey {
  const problem = pairProblem(pair)
  if (problem !== undefined) throw new ConfigError(problem)
  return pair
}

/** The same for the key that signs service-account tokens. */
export function demandAccountKey(key: Secret<string>): Secret<string> {
  const problem = accountKeyProblem(key)
  if (problem !== undefined) throw new ConfigError(problem)
  return key
}

/** Talos has two texts for this, which differ in a colon. */
export const accountKeyProblem = (key: Secret<string>): string | undefined =>
  keyProblem(key)?.replace('key type:', 'key type')
