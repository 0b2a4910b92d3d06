import { quote } from '#machineconfig/quote.ts'
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
import { controlPlaneProblems } from './control-plane.ts'
import { discoveryProblems } from './discovery.ts'
import { etcdProblems } from './etcd.ts'

const NO_ENDPOINT = 'cluster controlplane endpoint is required'
const HOW_TO_MOVE =
  '(.cluster.controlPlane.endpoint); when the endpoint is migrated to the KubeClusterConfig document, the whole .cluster.controlPlane section should be removed (.cluster.controlPlane.localAPIServerPort is migrated to the KubeAPIServerConfig document)'
const ACCOUNT_WITHOUT_ENDPOINT =
  '.cluster.serviceAccount requires the cluster endpoint to be set in the same document (.cluster.controlPlane.endpoint); when the cluster endpoint is migrated to the KubeClusterConfig document, .cluster.serviceAccount should be migrated to the KubeServiceAccountConfig document as well'

interface ClusterContext {
  readonly onControlPlane: boolean
  /** Whether another document may hold the endpoint, as from v1.14 on. */
  readonly mayLackControlPlane: boolean
}

/** What is wrong with `cluster`, the pod network aside. */
export function* clusterProblems(cluster: Section, context: ClusterContext): Generator<string> {
  const controlPlane = sectionAt(cluster, 'controlPlane')
  const { onControlPlane, mayLackControlPlane } = context
  const isElsewhere = mayLackControlPlane && !controlPlane
  if (!cluster) yield 'cluster instructions are required'
  else if (!isElsewhere && valueAt(controlPlane, 'endpoint') === undefined) {
    yield mayLackControlPlane ? `${NO_ENDPOINT} ${HOW_TO_MOVE}` : NO_ENDPOINT
  } else {
    yield* isElsewhere ? accountProblems(cluster) : endpointProblems(controlPlane)
    yield* domainProblems(cluster)
    yield* cloudProviderProblems(sectionAt(cluster, 'externalCloudProvider'))
    yield* onControlPlane ? ownEtcdProblems(cluster) : workerProblems(cluster)
    yield* inlineManifestProblems(cluster)
    yield* discoveryProblems(cluster)
    yield* controlPlaneProblems(cluster)
  }
}

function* accountProblems(cluster: Section): Generator<string> {
  if (sectionAt(cluster, 'serviceAccount')) yield ACCOUNT_WITHOUT_ENDPOINT
}

function* endpointProblems(controlPlane: Section): Generator<string> {
  const problem = endpointProblem(textAt(controlPlane, 'endpoint'))
  if (problem) yield `invalid controlplane endpoint: ${problem}`
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
