import type { Secret } from '#base/secret.ts'
import type { CertificateAndKey, SecretsBundle } from './bundle.ts'
import { accountKeyProblem } from './demand-pem.ts'
import { pairProblem } from './pem-problems.ts'

/** A bundle as it was found: anything may be missing or empty, and nothing was looked at yet. */
export interface BundleDraft {
  readonly cluster?: { readonly id: string; readonly secret: Secret<string> } | undefined
  readonly secrets?: DraftSecrets | undefined
  readonly trustd?: { readonly token: Secret<string> } | undefined
  readonly certs?: DraftCertificates | undefined
}

interface DraftSecrets {
  readonly bootstrapToken: Secret<string>
  readonly aescbc: Secret<string>
  readonly secretbox: Secret<string>
}

interface DraftCertificates {
  readonly etcd: CertificateAndKey | undefined
  readonly kubernetes: CertificateAndKey | undefined
  readonly aggregator: CertificateAndKey | undefined
  readonly talos: CertificateAndKey | undefined
  readonly serviceAccountKey: Secret<string> | undefined
}

/** What is wrong with a part, which is called as in secrets.yaml. */
export interface BundleProblem {
  readonly part: string
  readonly why: string
}

/** The bundle, if it is whole, or what is wrong with it, in the words and the order of Talos. */
export function completed(draft: BundleDraft): SecretsBundle | BundleProblem[] {
  const { cluster, secrets, trustd, certs } = draft
  const { etcd, kubernetes, aggregator, talos, serviceAccountKey } = certs ?? {}
  const problems = problemsOf(draft)
  const isWhole = cluster && secrets && trustd && etcd && kubernetes && aggregator && talos
  if (problems.length > 0 || !isWhole || !serviceAccountKey) return problems
  const as = isEmpty(secrets.aescbc) ? 'secretbox' : 'aescbc'
  return {
    cluster,
    bootstrapToken: secrets.bootstrapToken,
    encryption: { as, secret: secrets[as] },
    trustdToken: trustd.token,
    ...{ etcd, kubernetes, aggregator, serviceAccountKey, talos },
  }
}

/** Of two secrets, one must be there and the other not. */
export const EITHER = '[secrets.secretboxencryptionsecret, secrets.aescbcencryptionsecret]'

const problemsOf = ({ cluster, secrets, trustd, certs }: BundleDraft): BundleProblem[] => [
  ...(cluster ? required('cluster.id', cluster.id) : missing('cluster')),
  ...(cluster ? required('cluster.secret', cluster.secret.open()) : []),
  ...(secrets ? secretsProblems(secrets) : missing('secrets')),
  ...(trustd ? required('trustdinfo.token', trustd.token.open()) : missing('trustdinfo')),
  ...(certs ? certificateProblems(certs) : missing('certs')),
]

function secretsProblems({ bootstrapToken, aescbc, secretbox }: DraftSecrets): BundleProblem[] {
  const problems = required('secrets.bootstraptoken', bootstrapToken.open())
  const given = [aescbc, secretbox].filter((secret) => !isEmpty(secret))
  if (given.length === 0) problems.push(...missing(`one of ${EITHER}`))
  if (given.length === 2) problems.push({ part: `only one of ${EITHER}`, why: 'is allowed' })
  return problems
}

const certificateProblems = (certs: DraftCertificates): BundleProblem[] => [
  ...pairProblems('certs.etcd', certs.etcd),
  ...pairProblems('certs.k8s', certs.kubernetes),
  ...pairProblems('certs.k8saggregator', certs.aggregator),
  ...pairProblems('certs.os', certs.talos),
  ...accountProblems(certs.serviceAccountKey),
]

const pairProblems = (part: string, pair: CertificateAndKey | undefined): BundleProblem[] =>
  pair ? invalid(part, pairProblem(pair)) : missing(part)

function accountProblems(key: Secret<string> | undefined): BundleProblem[] {
  if (!key) return missing('certs.k8sserviceaccount')
  return invalid('certs.k8sserviceaccount.key', accountKeyProblem(key))
}

const invalid = (part: string, problem: string | undefined): BundleProblem[] =>
  problem ? [{ part, why: `is invalid: ${problem}` }] : []

const required = (part: string, value: string): BundleProblem[] =>
  value === '' ? missing(part) : []

const missing = (part: string): BundleProblem[] => [{ part, why: 'is required' }]

const isEmpty = (value: Secret<string>): boolean => value.open() === ''
