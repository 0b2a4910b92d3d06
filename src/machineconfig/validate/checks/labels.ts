import { quote } from '#machineconfig/quote.ts'

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const SUBDOMAIN_LENGTH = 253
const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const NAME_LENGTH = 63
const ANNOTATIONS_SIZE = 256 * 1024
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const RESERVED = ['talos.dev/owned-annotations', 'talos.dev/owned-labels', 'talos.dev/owned-taints']

type Entries = readonly (readonly [key: string, value: string])[]

/** What is wrong with labels of a node, which come sorted by key. */
export const labelProblems = (labels: Entries): string[] =>
  labels.flatMap(([key, value]) => [...qualifiedNameProblem(key), ...labelValueProblem(value)])

/** What is wrong with annotations of a node, which come sorted by key. */
export function annotationProblems(annotations: Entries): string[] {
  const problems = annotations.flatMap(([key]) => [
    ...qualifiedNameProblem(key),
    ...(RESERVED.includes(key) ? [`annotation ${quote(key)} is reserved`] : []),
  ])
  const size = Buffer.byteLength(annotations.flat().join(''))
  return size > ANNOTATIONS_SIZE
    ? [...problems, `total annotation size exceeds limit of ${ANNOTATIONS_SIZE} bytes`]
    : problems
}

/** What is wrong with taints of a node (`value:Effect` or `Effect` by key), sorted by key; at most one each. */
export const taintProblems = (taints: Entries): string[] =>
  taints.flatMap(([key, taint]) =>
    [...qualifiedNameProblem(key), ...taintProblem(taint)].slice(0, 1),
  )

function taintProblem(taint: string): string[] {
  const colon = taint.indexOf(':')
  const effect = taint.slice(colon + 1)
  if (!EFFECTS.includes(effect)) return [`invalid taint effect: ${quote(effect)}`]
  return colon < 0 ? [] : labelValueProblem(taint.slice(0, colon))
}

function labelValueProblem(value: string): string[] {
  if (Buffer.byteLength(value) > NAME_LENGTH) {
    return [`label value length exceeds limit of ${NAME_LENGTH}: ${quote(value)}`]
  }
  return LABEL_VALUE.test(value) ? [] : [`label value ${quote(value)} is invalid`]
}

/** What is wrong with a key of Kubernetes: a name, after a domain if need be. */
export function qualifiedNameProblem(key: string): string[] {
  const [first = '', second, ...rest] = key.split('/')
  if (rest.length > 0) return [`invalid format: too many slashes: ${quote(key)}`]
  if (second === undefined) return nameProblem(first, key)
  if (first === '') return [`prefix cannot be empty: ${quote(key)}`]
  const problem = subdomainProblem(first)
  return problem ? [`prefix ${quote(first)} is invalid: ${problem}`] : nameProblem(second, key)
}

function nameProblem(name: string, key: string): string[] {
  if (name === '') return [`name cannot be empty: ${quote(key)}`]
  if (Buffer.byteLength(name) > NAME_LENGTH) {
    return [`name is too long: ${quote(key)} (limit is ${NAME_LENGTH})`]
  }
  return NAME.test(name) ? [] : [`name ${quote(name)} is invalid`]
}

/** What is wrong with the name of a domain, or of what is named like one. */
export function subdomainProblem(text: string): string | undefined {
  if (Buffer.byteLength(text) > SUBDOMAIN_LENGTH) {
    return `domain name length exceeds limit of ${SUBDOMAIN_LENGTH}: ${quote(text)}`
  }
  return SUBDOMAIN.test(text) ? undefined : `domain doesn't match required format: ${quote(text)}`
}
