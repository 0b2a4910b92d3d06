import { isDnsName } from '#machineconfig/validate/checks/dns-name.ts'
import { endpointProblem } from '#machineconfig/validate/checks/endpoint.ts'
import {
  isOn,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
  textsAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import { quote } from '#machineconfig/validate/checks/quote.ts'
import { controlPlaneProblems } from './control-plane.ts'
import { discoveryProblems } from './discovery.ts'
import { etcdProblems } from './etcd.ts'

/** What is wrong with `cluster`, the pod network aside. */
export function* clusterProblems(cluster: Section, onControlPlane: boolean): Generator<string> {
  const endpoint = valueAt(sectionAt(cluster, 'controlPlane'), 'endpoint')
  if (!cluster) yield 'cluster instructions are required'
  else if (typeof endpoint !== 'string') yield 'cluster controlplane endpoint is required'
  else {
    const problem = endpointProblem(endpoint)
    if (problem) yield `invalid controlplane endpoint: ${problem}`
    yield* domainProblems(cluster)
    yield* cloudProviderProblems(sectionAt(cluster, 'externalCloudProvider'))
    yield* onControlPlane ? ownEtcdProblems(cluster) : workerProblems(cluster)
    yield* inlineManifestProblems(cluster)
    yield* discoveryProblems(cluster)
    yield* controlPlaneProblems(cluster)
  }
}

function* domainProblems(cluster: Section): Generator<string> {
  const domain = textAt(sectionAt(cluster, 'network'), 'dnsDomain')
  if (domain !== '' && !isDnsName(domain)) yield `${quote(domain)} is not a valid DNS name`
}

function* cloudProviderProblems(provider: Section): Generator<string> {
  const manifests = textsAt(provider, 'manifests')
  if (!isOn(provider, 'enabled')) {
    if (manifests.length > 0) {
      yield 'external cloud provider is disabled, but manifests are provided'
    }
    return
  }
  for (const url of manifests) {
    const problem = endpointProblem(url)
    if (problem) yield `invalid external cloud provider manifest url ${quote(url)}: ${problem}`
  }
}

function* ownEtcdProblems(cluster: Section): Generator<string> {
  const etcd = sectionAt(cluster, 'etcd')
  if (etcd) yield* etcdProblems(etcd)
}

function* workerProblems(cluster: Section): Generator<string> {
  if (sectionAt(cluster, 'etcd')) yield 'etcd config is only allowed on control plane machines'
  if (textAt(sectionAt(cluster, 'ca'), 'key') !== '') {
    yield 'cluster CA key is not allowed on non-controlplane nodes (.cluster.ca)'
  }
}

function* inlineManifestProblems(cluster: Section): Generator<string> {
  const seen = new Set<string>()
  for (const manifest of sectionsAt(cluster, 'inlineManifests')) {
    const name = textAt(manifest, 'name')
    if (name.trim() === '') yield "inline manifest name can't be empty"
    if (seen.has(name)) yield `inline manifest name ${quote(name)} is duplicate`
    seen.add(name)
  }
}
