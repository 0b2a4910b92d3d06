import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import {
  isOn,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
} from '#machineconfig/validate/checks/fields.ts'
import type { RuleContext, RulesByKind } from './kind-rules.ts'

/** Whose images are run. */
export const imageVerificationRules: RulesByKind = {
  ImageVerificationConfig: { errors: verificationErrors, warnings: patternWarnings },
}

const FIRST_WITH_WARNINGS = 14

function* patternWarnings(fields: ValueMap, { minor }: RuleContext): Iterable<string> {
  if (minor < FIRST_WITH_WARNINGS) return
  for (const [i, rule] of sectionsAt(fields, 'rules').entries()) {
    for (const problem of patternProblems(textAt(rule, 'image'))) yield `rule ${i}: ${problem}`
  }
}

function* patternProblems(pattern: string): Iterable<string> {
  if (pattern.includes('@')) yield unmatched('@')
  const slash = pattern.indexOf('/')
  if (slash >= 0 && pattern.includes(':', slash)) yield unmatched(':')
  if (pattern !== '' && matchesNothing(pattern)) {
    yield `imagePattern ${quote(pattern)} cannot match any image: references are matched in their normalized '<registry domain>/<repository>' form, e.g. 'nginx' is matched as 'docker.io/library/nginx'`
  }
}

const unmatched = (sign: string): string =>
  `imagePattern contains '${sign}' but matching only applies to the image registry and repository, not the tag or digest`

/** What is before the first star has to begin with a registry, if it gets as far as a slash. */
function matchesNothing(pattern: string): boolean {
  const [start = ''] = pattern.split('*')
  const slash = start.indexOf('/')
  if (slash < 0) return !pattern.includes('*')
  return !/[.:]|^localhost$/i.test(start.slice(0, slash))
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
