import type { ValueMap } from '#machineconfig/document.ts'
import {
  isOn,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
} from '#machineconfig/validate/checks/fields.ts'
import type { RulesByKind } from './kind-rules.ts'

/** Whose images are run. */
export const imageVerificationRules: RulesByKind = {
  ImageVerificationConfig: { errors: verificationErrors },
}

function* verificationErrors(fields: ValueMap): Iterable<string> {
  for (const [i, rule] of sectionsAt(fields, 'rules').entries()) {
    for (const problem of ruleProblems(rule)) yield `rule ${i}: ${problem}`
  }
}

function* ruleProblems(rule: Section): Iterable<string> {
  const skip = isOn(rule, 'skip')
  const deny = isOn(rule, 'deny')
  const keyless = sectionAt(rule, 'keyless')
  const publicKey = sectionAt(rule, 'publicKey')
  const isVerified = (keyless ?? publicKey) !== undefined
  const isDecided = skip || deny
  if (textAt(rule, 'image') === '') yield 'imagePattern must be specified'
  if (skip && deny) yield 'skip and deny cannot both be true'
  if (isDecided && isVerified) yield 'verifiers cannot be configured if skip or deny is true'
  if (!isDecided && !isVerified) yield 'at least one verifier must be configured'
  if (keyless && publicKey) yield 'only one of keyless or publicKey verifier can be configured'
  yield* keylessProblems(keyless)
  yield* publicKeyProblems(publicKey)
}

function* publicKeyProblems(publicKey: Section): Iterable<string> {
  const isEmpty = textAt(publicKey, 'certificate') === ''
  if (publicKey !== undefined && isEmpty) yield 'verifier certificates must be specified'
}

function* keylessProblems(keyless: Section): Iterable<string> {
  if (keyless === undefined) return
  if (textAt(keyless, 'issuer') === '') yield 'verifier OIDC issuer must be specified'
  if (textAt(keyless, 'subject') === '' && textAt(keyless, 'subjectRegex') === '') {
    yield 'verifier subject or subjectRegex must be specified'
  }
}
