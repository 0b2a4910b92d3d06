import type { ConfigDocument } from '#machineconfig/document.ts'
import { isOn, type Section, sectionAt, sectionsAt, textAt } from './checks/fields.ts'
import { isControlPlane, machineType } from './legacy/machine-type.ts'

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

/** What v1.14 demands of a configuration as a whole. */
export function* laterErrors(whole: Whole): Iterable<string> {
  const hostDns = hostDnsOf(whole)
  if (whole.mode === 'container') yield* containerErrors(hostDns)
  const resolvers = sectionsAt(fieldsOf(whole, 'ResolverConfig'), 'nameservers')
  const isEncrypted = resolvers.some((server) => !['', 'Do53'].includes(textAt(server, 'protocol')))
  if (isEncrypted && !isOn(hostDns, 'enabled')) {
    yield 'hostDNS must be enabled when using non-default DNS protocols'
  }
  yield* roleErrors(whole)
  yield* kubeSpanErrors(whole)
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

function* roleErrors(whole: Whole): Iterable<string> {
  const machine = sectionAt(whole.legacy, 'machine')
  if (machine === undefined) return
  const type = machineType(textAt(machine, 'type'))
  if (isControlPlane(type)) yield* encryptionErrors(whole)
  if (type !== 'worker') return
  const kinds = whole.documents.map(({ kind }) => kind.kind)
  const odd = [...new Set(kinds.filter((kind) => CONTROL_PLANE_ONLY.has(kind)))]
  if (odd.length > 0) {
    yield `the following document kinds are only allowed on control plane machines: [${odd.join(' ')}]`
  }
}

function* encryptionErrors(whole: Whole): Iterable<string> {
  const cluster = sectionAt(whole.legacy, 'cluster')
  const isOld = ['secretboxEncryptionSecret', 'aescbcEncryptionSecret'].some(
    (key) => textAt(cluster, key) !== '',
  )
  if (!isOld && fieldsOf(whole, 'KubeEtcdEncryptionConfig') === undefined) {
    yield 'etcd encryption config is required for control plane machines running kube-apiserver'
  }
}

function* kubeSpanErrors(whole: Whole): Iterable<string> {
  const network = sectionAt(sectionAt(whole.legacy, 'machine'), 'network')
  const kubeSpan = fieldsOf(whole, 'KubeSpanConfig') ?? sectionAt(network, 'kubespan')
  const discovery = sectionAt(sectionAt(whole.legacy, 'cluster'), 'discovery')
  const isFound =
    isOn(discovery, 'enabled') || fieldsOf(whole, 'DiscoveryServiceConfig') !== undefined
  if (isOn(kubeSpan, 'enabled') && !isFound) {
    yield 'KubeSpan requires cluster discovery to be enabled'
  }
}

const fieldsOf = ({ documents }: Whole, kind: string): Section =>
  documents.find((document) => document.kind.kind === kind)?.fields
