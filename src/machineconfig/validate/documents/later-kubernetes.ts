import { Secret } from '#base/secret.ts'
import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { keyProblem } from '#machineconfig/secrets/pem-problems.ts'
import {
  itemsAt,
  keysAt,
  numberAt,
  sectionAt,
  textAt,
  textEntriesAt,
  textsAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import {
  annotationProblems,
  labelProblems,
  subdomainProblem,
  taintProblems,
} from '#machineconfig/validate/checks/labels.ts'
import {
  blocksProblem,
  certificateProblem,
  pairProblem,
} from '#machineconfig/validate/checks/pem.ts'
import { subnetProblems } from '#machineconfig/validate/checks/subnets.ts'
import { urlParts } from '#machineconfig/validate/checks/url-parts.ts'
import { errorText } from '#machineconfig/validate/error-list.ts'
import { ROLES } from '#machineconfig/validate/legacy/features.ts'
import { protectedFieldProblems } from '#machineconfig/validate/legacy/kubelet.ts'
import type { RulesByKind } from './kind-rules.ts'

/** What a machine tells Kubernetes and the other way round, as v1.14 has it in documents of their own. */
export const laterKubernetesRules: RulesByKind = {
  KubeAPIServerCAConfig: { errors: authorityErrors },
  KubeAggregatorCAConfig: { errors: aggregatorErrors },
  KubeExternalManifestConfig: { errors: externalManifestErrors },
  KubeInlineManifestConfig: { errors: (fields) => nameErrors(fields, 'manifest') },
  KubeNodeConfig: { errors: nodeErrors },
  KubePrismConfig: { errors: prismErrors },
  KubeServiceAccountConfig: { errors: accountErrors },
  KubeStaticPodConfig: { errors: podErrors },
  KubeTalosAPIAccessConfig: { errors: accessErrors, warnings: accessWarnings },
  KubeletConfig: { errors: kubeletErrors },
}

const LARGEST_PORT = 65_535

function* aggregatorErrors(fields: ValueMap): Iterable<string> {
  if (sectionAt(fields, 'issuingCA') === undefined) yield 'issuing CA is not set'
  yield* authorityErrors(fields)
}

function* authorityErrors(fields: ValueMap): Iterable<string> {
  const issuer = sectionAt(fields, 'issuingCA')
  const problem = issuer && issuerProblem(textAt(issuer, 'cert'), textAt(issuer, 'key'))
  if (problem !== undefined) yield `issuing CA: ${problem}`
  for (const [at, accepted] of textsAt(fields, 'acceptedCAs').entries()) {
    const why = blocksProblem(accepted, 'CERTIFICATE')
    if (why !== undefined) yield `accepted CA #${at}: ${why}`
  }
}

function issuerProblem(certificate: string, key: string): string | undefined {
  const problem = pairProblem(certificate, key)
  if (problem !== undefined) return problem
  const why = certificateProblem(certificate)
  if (why !== undefined) return `certificate is invalid: ${why}`
  const keyWhy = keyProblem(new Secret(key))
  return keyWhy === undefined ? undefined : `key is invalid: ${keyWhy}`
}

function* nameErrors(fields: ValueMap, what: string): Iterable<string> {
  const name = textAt(fields, 'name')
  const problem = name === '' ? undefined : subdomainProblem(name)
  if (name === '') yield `${what} name is required`
  if (problem !== undefined) yield `${what} name is invalid: ${problem}`
}

function* externalManifestErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields, 'manifest')
  const { scheme } = urlParts(textAt(fields, 'url'))
  if (valueAt(fields, 'url') === undefined) yield 'manifest URL is required'
  else if (scheme !== 'http' && scheme !== 'https') {
    yield `manifest URL scheme must be http or https: ${quote(scheme)}`
  }
}

function* podErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields, 'static pod')
  if (keysAt(fields, 'pod').length === 0) yield 'static pod spec is required'
}

function* nodeErrors(fields: ValueMap): Iterable<string> {
  yield* subnetProblems('nodeIP subnet', textsAt(sectionAt(fields, 'nodeIP'), 'validSubnets'))
  for (const [what, problems] of [
    ['labels', labelProblems(textEntriesAt(fields, 'labels'))],
    ['annotations', annotationProblems(textEntriesAt(fields, 'annotations'))],
    ['taints', taintProblems(textEntriesAt(fields, 'taints'))],
  ] as const) {
    if (problems.length > 0) yield `invalid node ${what}: ${errorText(problems)}`
  }
}

function* prismErrors(fields: ValueMap): Iterable<string> {
  const port = numberAt(fields, 'port')
  if (port < 1 || port > LARGEST_PORT) {
    yield `invalid port ${port}: must be in range 1-${LARGEST_PORT}`
  }
}

function* accountErrors(fields: ValueMap): Iterable<string> {
  const issuer = sectionAt(fields, 'issuer')
  const key = textAt(issuer, 'privateKey')
  const problem = key === '' ? undefined : keyProblem(new Secret(key))
  if (key === '') yield 'service issuer private key is required'
  if (problem !== undefined) yield `service issuer private key is invalid: ${problem}`
  if (valueAt(issuer, 'issuerURL') === undefined) yield 'service issuer URL is required'
}

function* accessErrors(fields: ValueMap): Iterable<string> {
  for (const role of textsAt(fields, 'allowedRoles')) {
    if (!ROLES.includes(role)) yield `invalid role ${quote(role)} in .allowedRoles`
  }
}

function* accessWarnings(fields: ValueMap): Iterable<string> {
  if (itemsAt(fields, 'allowedRoles').length === 0) {
    yield 'no roles are allowed in .allowedRoles, so access is blocked'
  }
}

function* kubeletErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'image') === '') yield 'kubelet image cannot be empty'
  yield* protectedFieldProblems(sectionAt(fields, 'config'))
}
