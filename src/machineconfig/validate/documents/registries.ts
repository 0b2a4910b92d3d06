import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { sectionAt, sectionsAt, textAt } from '#machineconfig/validate/checks/fields.ts'
import {
  certificateProblem,
  hasCertificate,
  pairProblem,
  privateKeyProblem,
} from '#machineconfig/validate/checks/pem.ts'
import { urlParts } from '#machineconfig/validate/checks/url-parts.ts'
import type { RuleContext, RulesByKind } from './kind-rules.ts'

const FIRST_WITH_PAIRS = 14

/** Where images come from. */
export const registryRules: RulesByKind = {
  RegistryMirrorConfig: { errors: mirrorErrors },
  RegistryAuthConfig: { errors: authErrors },
  RegistryTLSConfig: { errors: tlsErrors },
}

function* nameErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'name') === '') yield 'name must be specified'
}

function* mirrorErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields)
  for (const [i, endpoint] of sectionsAt(fields, 'endpoints').entries()) {
    const url = textAt(endpoint, 'url')
    const { scheme } = urlParts(url)
    if (url === '') yield `endpoints[${i}].url must be specified`
    else if (scheme !== 'http' && scheme !== 'https') {
      yield `endpoints[${i}].url has unsupported scheme: ${quote(scheme)}`
    }
  }
}

function* authErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields)
  const [byName, byToken, byAuth] = ['username', 'identityToken', 'auth'].map(
    (key) => textAt(fields, key) !== '',
  )
  if (byName && byToken) {
    yield 'only one of username/password or identityToken authentication can be specified'
  }
  if (byAuth && (byName || byToken)) {
    yield 'only one of auth, username/password or identityToken authentication can be specified'
  }
}

function* tlsErrors(fields: ValueMap, { minor }: RuleContext): Iterable<string> {
  yield* nameErrors(fields)
  const ca = textAt(fields, 'ca')
  if (ca !== '' && !hasCertificate(ca)) yield 'ca must be a valid PEM-encoded certificate'
  const identity = sectionAt(fields, 'clientIdentity')
  if (identity === undefined) return
  yield* minor >= FIRST_WITH_PAIRS ? pairErrors(identity) : identityErrors(identity)
}

function* pairErrors(identity: ValueMap): Iterable<string> {
  const problem = pairProblem(textAt(identity, 'cert'), textAt(identity, 'key'))
  if (problem !== undefined) yield `client identity: ${problem}`
}

function* identityErrors(identity: ValueMap): Iterable<string> {
  const certificate = certificateProblem(textAt(identity, 'cert'))
  if (certificate !== undefined) yield `client identity certificate is invalid: ${certificate}`
  const key = privateKeyProblem(textAt(identity, 'key'))
  if (key !== undefined) yield `client identity key is invalid: ${key}`
}
