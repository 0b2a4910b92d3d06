import type { ConfigDocument } from '#machineconfig/document.ts'
import {
  isOn,
  keysAt,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
  valueAt,
} from './checks/fields.ts'
import { dependencyErrors } from './documents/container-dependencies.ts'
import { isControlPlane, type MachineType, machineType } from './legacy/machine-type.ts'

const CONTROL_PLANE_ONLY = new Set([
  'KubeAggregatorCAConfig',
  'KubeAdmissionControlConfig',
  'KubeAuditPolicyConfig',
  'KubeAuthenticationConfig',
  'KubeAuthorizerConfig',
  'KubeEtcdEncryptionConfig',
  'KubeServiceAccountConfig',
  'KubeAPIServerConfig',
  'KubeControllerManagerConfig',
  'KubeSchedulerConfig',
  'KubeProxyConfig',
  'KubeFlannelCNIConfig',
  'KubeCoreDNSConfig',
  'KubeTalosAPIAccessConfig',
])

interface Whole {
  readonly legacy: Section
  readonly documents: readonly ConfigDocument[]
  readonly mode: string
}

/** What v1.14 demands of a configuration as a whole, in its order. */
export function* laterErrors(whole: Whole): Iterable<string> {
  const hostDns = hostDnsOf(whole)
  if (whole.mode === 'container') yield* containerErrors(hostDns)
  const resolvers = sectionsAt(fieldsOf(whole, 'ResolverConfig'), 'nameservers')
  const isEncrypted = resolvers.some((server) => !['', 'Do53'].includes(textAt(server, 'protocol')))
  if (isEncrypted && !isOn(hostDns, 'enabled')) {
    yield 'hostDNS must be enabled when using non-default DNS protocols'
  }
  yield* identityErrors(whole)
  yield* dependencyErrors(whole.documents)
  yield* kubeSpanErrors(whole)
  yield* kubernetesErrors(whole)
  yield* roleErrors(whole)
}

function* containerErrors(hostDns: Section): Iterable<string> {
  if (hostDns === undefined) {
    yield 'hostDNS config is required in container mode'
    return
  }
  if (!isOn(hostDns, 'enabled')) yield 'hostDNS must be enabled in container mode'
  if (!isOn(hostDns, 'forwardKubeDNSToHost')) {
    yield 'forwardKubeDNSToHost must be enabled in container mode'
  }
}

/** The document counts only while it switches it on; before that the legacy place does. */
function hostDnsOf(whole: Whole): Section {
  const own = sectionAt(fieldsOf(whole, 'ResolverConfig'), 'hostDNS')
  const old = sectionAt(sectionAt(sectionAt(whole.legacy, 'machine'), 'features'), 'hostDNS')
  return isOn(own, 'enabled') ? own : old
}

function* identityErrors(whole: Whole): Iterable<string> {
  const { id, secret } = identityOf(whole)
  const isFound = isDiscoveryOn(whole)
  for (const [what, key, value] of [
    ['ID', 'id', id],
    ['secret', 'secret', secret],
  ] as const) {
    if (isFound && value === '') {
      yield `cluster ${what} (.cluster.${key} or DiscoveryIdentityConfig) should be set when cluster discovery (DiscoveryServiceConfig) is enabled`
    }
  }
}

function* kubeSpanErrors(whole: Whole): Iterable<string> {
  const network = sectionAt(sectionAt(whole.legacy, 'machine'), 'network')
  const kubeSpan = fieldsOf(whole, 'KubeSpanConfig') ?? sectionAt(network, 'kubespan')
  if (isOn(kubeSpan, 'enabled') && !isDiscoveryOn(whole)) {
    yield 'KubeSpan requires cluster discovery to be enabled'
  }
}

function isDiscoveryOn(whole: Whole): boolean {
  const discovery = sectionAt(sectionAt(whole.legacy, 'cluster'), 'discovery')
  const service = sectionAt(sectionAt(discovery, 'registries'), 'service')
  return (
    (isOn(discovery, 'enabled') && !isOn(service, 'disabled')) ||
    fieldsOf(whole, 'DiscoveryServiceConfig') !== undefined
  )
}

/** The legacy one if there is anything of it. */
function identityOf(whole: Whole): { id: string; secret: string } {
  const cluster = sectionAt(whole.legacy, 'cluster')
  const [id, secret] = [textAt(cluster, 'id'), textAt(cluster, 'secret')]
  if (id !== '' || secret !== '') return { id, secret }
  const own = fieldsOf(whole, 'DiscoveryIdentityConfig')
  return { id: textAt(own, 'clusterID'), secret: textAt(own, 'clusterSecret') }
}

/** A machine with an authority of Kubernetes runs Kubernetes. */
function* kubernetesErrors(whole: Whole): Iterable<string> {
  const cluster = sectionAt(whole.legacy, 'cluster')
  const isOld = ['ca', 'acceptedCAs'].some((key) => valueAt(cluster, key) !== undefined)
  if (!isOld && fieldsOf(whole, 'KubeAPIServerCAConfig') === undefined) return
  if (isControlPlane(roleOf(whole)) && !isEncrypting(whole)) {
    yield 'etcd encryption config is required for control plane machines running kube-apiserver'
  }
  const endpoint = valueAt(sectionAt(cluster, 'controlPlane'), 'endpoint')
  if (endpoint === undefined && fieldsOf(whole, 'KubeClusterConfig') === undefined) {
    yield 'cluster name and endpoint are required when Kubernetes is configured: either .cluster.clusterName/.cluster.controlPlane.endpoint or the KubeClusterConfig document'
  }
}

function isEncrypting(whole: Whole): boolean {
  const cluster = sectionAt(whole.legacy, 'cluster')
  const isOld = ['secretboxEncryptionSecret', 'aescbcEncryptionSecret'].some(
    (key) => textAt(cluster, key) !== '',
  )
  return isOld || fieldsOf(whole, 'KubeEtcdEncryptionConfig') !== undefined
}

function* roleErrors(whole: Whole): Iterable<string> {
  if (isControlPlane(roleOf(whole))) return
  const kinds = whole.documents.map(({ kind }) => kind.kind)
  const odd = [...new Set(kinds.filter((kind) => CONTROL_PLANE_ONLY.has(kind)))].sort()
  if (odd.length > 0) {
    yield `the following document kinds are only allowed on control plane machines: [${odd.join(' ')}]`
  }
}

/** Of a machine without the legacy section nobody knows. */
function roleOf({ legacy }: Whole): MachineType {
  const machine = sectionAt(legacy, 'machine')
  return machine ? machineType(textAt(machine, 'type')) : 'unknown'
}

const NODE_ROLE = 'node-role.kubernetes.io/control-plane'

/** What v1.14 thinks odd about a configuration as a whole. */
export function* laterWarnings(whole: Whole): Iterable<string> {
  const node = fieldsOf(whole, 'KubeNodeConfig')
  if (!node || !isControlPlane(roleOf(whole))) return
  if (keysAt(node, 'labels').includes(NODE_ROLE) || isOn(node, 'skipNodeRegistration')) return
  yield `KubeNodeConfig document should set the "${NODE_ROLE}" node label on control plane machines (and, unless scheduling on control planes is allowed, the "${NODE_ROLE}: NoSchedule" taint): unlike .machine.nodeLabels/.machine.nodeTaints, the document contents are used as-is`
}

const fieldsOf = ({ documents }: Whole, kind: string): Section =>
  documents.find((document) => document.kind.kind === kind)?.fields
