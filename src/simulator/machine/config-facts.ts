import { createHash } from 'node:crypto'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import type { DocumentOf } from './document-of.ts'
import { type InstallFacts, installFacts } from './install-facts.ts'
import { type KubernetesFacts, kubernetesFacts, texts } from './kubernetes-facts.ts'
import { type NetworkFacts, networkFacts } from './network-facts.ts'
import { type TrustFacts, trustFacts } from './trust-facts.ts'

/** What a configuration says, as far as a machine here cares. Without secrets. */
export interface ConfigFacts extends KubernetesFacts {
  readonly type: 'controlplane' | 'worker'
  /** The same for all machines of a cluster, and only for them. Tells nothing about its secrets. */
  readonly clusterKey: string
  readonly clusterId: string
  /** What others of the cluster want to see, and what it wants to see of them. */
  readonly trust: TrustFacts
  readonly clusterName: string
  readonly endpoint: string
  /** As the configuration names it, if it does. */
  readonly hostname: string | undefined
  /** Whether a machine without a name gets one from its id, and not from its address. */
  readonly hasStableHostname: boolean
  readonly install: InstallFacts
  /** What becomes of the way to the machine. */
  readonly network: NetworkFacts
  /** Shared addresses that control planes of the cluster hold. */
  readonly virtualIps: readonly string[]
  readonly hasDiscovery: boolean
  /** Without it no etcd can begin. */
  readonly hasEtcdAuthority: boolean
  readonly certSans: readonly string[]
}

/** Reads a whole configuration, for a machine that runs this version of Talos. */
export function configFacts(config: MachineConfig, talosVersion: string): ConfigFacts {
  const legacy = new ConfigPlace(config.legacy?.fields)
  const document = (kind: string) =>
    new ConfigPlace(config.documents.find((one) => one.kind.kind === kind)?.fields)
  const [machine, cluster] = [legacy.at('machine'), legacy.at('cluster')]
  const type = ['controlplane', 'init'].includes(machine.text('type')) ? 'controlplane' : 'worker'
  return {
    type,
    ...identityFacts(cluster, document),
    ...nameFacts(machine, document('HostnameConfig')),
    ...kubernetesFacts({ type, machine, cluster, document }, talosVersion),
    trust: trustFacts({ machine, cluster, document }),
    install: installFacts(machine.at('install'), document('UnattendedInstallConfig'), talosVersion),
    network: networkFacts(machine, config),
    virtualIps: virtualIps(machine, config),
    hasDiscovery:
      cluster.at('discovery', 'enabled').value === true ||
      document('DiscoveryServiceConfig').value !== undefined,
    hasEtcdAuthority: cluster.text('etcd', 'ca', 'crt') !== '',
    certSans: texts(machine.at('certSANs')),
  }
}

function identityFacts(cluster: ConfigPlace, document: DocumentOf) {
  const identity = document('DiscoveryIdentityConfig')
  const kubernetes = document('KubeClusterConfig')
  const clusterId = identity.text('clusterID') || cluster.text('id')
  const secret = identity.text('clusterSecret') || cluster.text('secret')
  const key = createHash('sha256').update(`${clusterId}\0${secret}`).digest('hex')
  return {
    clusterKey: key,
    clusterId,
    clusterName: kubernetes.text('clusterName') || cluster.text('clusterName'),
    endpoint: kubernetes.text('endpoint') || cluster.text('controlPlane', 'endpoint'),
  }
}

function nameFacts(machine: ConfigPlace, document: ConfigPlace) {
  return {
    hostname: document.text('hostname') || machine.text('network', 'hostname') || undefined,
    hasStableHostname:
      document.text('auto') === 'stable' || machine.at('features', 'stableHostname').value === true,
  }
}

function virtualIps(machine: ConfigPlace, config: MachineConfig): string[] {
  const inLegacy = machine
    .at('network', 'interfaces')
    .items.map((device) => device.text('vip', 'ip'))
  const inDocuments = config.documents
    .filter(({ kind }) => kind.kind === 'Layer2VIPConfig')
    .map(({ fields }) => new ConfigPlace(fields).text('name'))
  return [...inLegacy, ...inDocuments].filter((ip) => ip !== '')
}
