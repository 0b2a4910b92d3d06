import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { sameJson } from '#base/same-json.ts'
import { canonicalAddress } from '#engine/pool-address.ts'
import { familiesProblem, placed, problemOfRanges } from '#engine/pool-problems-network.ts'
import { type Finding, shown } from './finding.ts'

/** Where the cluster's Kubernetes API is, and which addresses are inside of it. */
export interface Network {
  /** `https://host:port`. */
  endpoint: string
  dnsDomain: string
  podSubnets: string[]
  serviceSubnets: string[]
}

type Spec = NonNullable<KubernetesCluster['spec']>

const DNS_DOMAIN = 'cluster.local'
const POD_SUBNETS = ['10.244.0.0/16']
const SERVICE_SUBNETS = ['10.96.0.0/12']
const NESTED = 'spec.talosConfig.cluster'

const DEFAULT_PORT = 6443
const LARGEST_PORT = 65_535
const URL = /^https:\/\/(?<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(:(?<port>\d{1,5}))?\/?$/
const NAME = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?)(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
// As TalosControlPlane has it.
const DOMAIN = /^([a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?\.)+[a-z]{2,}$/

/** Judges the network. What stands in two places has to be the same in both. */
export function judgeNetwork(spec: Spec): Finding<Network> {
  const { controlPlane, network = {} } = spec.talosConfig?.cluster ?? {}
  const endpoint = judgeEndpoint(spec.clusterEndpoint, controlPlane?.endpoint)
  const pods = chosen('podSubnets', [spec.podSubnets, network.podSubnets], POD_SUBNETS)
  const services = chosen(
    'serviceSubnets',
    [spec.serviceSubnets, network.serviceSubnets],
    SERVICE_SUBNETS,
  )
  const dnsDomain = network.dnsDomain || DNS_DOMAIN
  const problems = [
    ...endpoint.problems,
    ...[...pods.problems, ...services.problems],
    ...(pods.problems.length + services.problems.length === 0
      ? rangesProblems(pods, services)
      : []),
    ...(DOMAIN.test(dnsDomain)
      ? []
      : [`${NESTED}.network.dnsDomain is ${shown(dnsDomain)}: write it like cluster.local`]),
  ]
  const subnets = { podSubnets: pods.value, serviceSubnets: services.value }
  return { value: { endpoint: endpoint.value, dnsDomain, ...subnets }, problems }
}

function judgeEndpoint(top = '', nested = ''): Finding<string> {
  const fields = [
    { field: 'spec.clusterEndpoint', text: top },
    { field: `${NESTED}.controlPlane.endpoint`, text: nested },
  ].filter(({ text }) => text !== '')
  if (fields.length === 0) {
    const missing = 'spec.clusterEndpoint is missing: write it like https://192.0.2.10:6443'
    return { value: '', problems: [missing] }
  }
  const read = fields.map(({ field, text }) => ({ field, text, url: normalisedEndpoint(text) }))
  const wrong = read.flatMap(({ field, text, url }) =>
    url
      ? []
      : [
          `${field} is ${shown(text)}: write a URL of https without a path, like https://192.0.2.10:6443`,
        ],
  )
  const [value = '', other = value] = read.flatMap(({ url }) => url ?? [])
  const differs = `spec.clusterEndpoint is ${value} and ${NESTED}.controlPlane.endpoint is ${other}: take the second out, or make it the same`
  return { value, problems: [...wrong, ...(value === other ? [] : [differs])] }
}

/** The one way to write an endpoint; undefined for what is none. */
export function normalisedEndpoint(text: string): string | undefined {
  const { host = '', port = `${DEFAULT_PORT}` } = URL.exec(text)?.groups ?? {}
  const name = normalisedHost(host)
  const number = Number(port)
  return name && number >= 1 && number <= LARGEST_PORT ? `https://${name}:${number}` : undefined
}

function normalisedHost(host: string): string | undefined {
  if (host.startsWith('[')) {
    const address = canonicalAddress(host.slice(1, -1))
    return address?.includes(':') ? `[${address}]` : undefined
  }
  if (/^[\d.]+$/.test(host)) return canonicalAddress(host)
  const name = host.toLowerCase()
  return NAME.test(name) ? name : undefined
}

type Ranges = readonly string[] | undefined

interface Chosen extends Finding<string[]> {
  field: string
}

/** Those of the spec, or else those of talosConfig, or else the usual ones. */
function chosen(name: string, [top = [], nested = []]: [Ranges, Ranges], usual: string[]): Chosen {
  const inside = `${NESTED}.network.${name}`
  const isTwice = top.length > 0 && nested.length > 0 && !sameJson(top, nested)
  const problems = isTwice
    ? [`spec.${name} and ${inside} differ: take the second out, or make it the same`]
    : []
  if (top.length > 0) return { field: `spec.${name}`, value: [...top], problems }
  if (nested.length > 0) return { field: inside, value: [...nested], problems }
  return { field: `spec.${name}`, value: usual, problems }
}

function rangesProblems(pods: Chosen, services: Chosen): string[] {
  const [ofPods, ofServices] = [
    placed(pods.field, pods.value),
    placed(services.field, services.value),
  ]
  const problem = problemOfRanges(ofPods, ofServices) ?? familiesProblem(ofPods, ofServices)
  return problem ? [problem.message.replace(/\.$/, '')] : []
}
