import type { ValueMap } from '#machineconfig/document.ts'
import { sectionAt, sectionsAt, textAt } from '#machineconfig/validate/checks/fields.ts'
import {
  certificateProblem,
  hasCertificate,
  privateKeyProblem,
} from '#machineconfig/validate/checks/pem.ts'
import { quote } from '#machineconfig/validate/checks/quote.ts'
import { urlParts } from '#machineconfig/validate/checks/url-parts.ts'
import type { RulesByKind } from './kind-rules.ts'

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

function* tlsErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields)
  const ca = textAt(fields, 'ca')
  if (ca !== '' && !hasCertificate(ca)) yield 'ca must be a valid PEM-encoded certificate'
  const identity = sectionAt(fields, 'clientIdentity')
  if (identity === undefined) return
  const certificate = certificateProblem(textAt(identity, 'cert'))
  if (certificate !== undefined) yield `client identity certificate is invalid: ${certificate}`
  const key = privateKeyProblem(textAt(identity, 'key'))
  if (key !== undefined) yield `client identity key is invalid: ${key}`
}
