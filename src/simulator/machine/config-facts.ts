import { createHash } from 'node:crypto'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import { defaultImages, defaultKubernetes, type Images } from '#machineconfig/versions/images.ts'
import { type InstallFacts, installFacts } from './install-facts.ts'

/** What a configuration says, as far as a machine here cares. Without secrets. */
export interface ConfigFacts {
  readonly type: 'controlplane' | 'worker'
  /** The same for all machines of a cluster, and only for them. Tells nothing about its secrets. */
  readonly clusterKey: string
  readonly clusterId: string
  readonly clusterName: string
  readonly endpoint: string
  /** As the configuration names it, if it does. */
  readonly hostname: string | undefined
  /** Whether a machine without a name gets one from its id, and not from its address. */
  readonly hasStableHostname: boolean
  readonly install: InstallFacts
  readonly images: Images
  readonly kubernetesVersion: string
  /** Shared addresses that control planes of the cluster hold. */
  readonly virtualIps: readonly string[]
  readonly hasDiscovery: boolean
  /** Without it no etcd can begin. */
  readonly hasEtcdAuthority: boolean
  readonly skipsNodeRegistration: boolean
  readonly certSans: readonly string[]
  readonly apiServerSans: readonly string[]
  readonly dnsDomain: string
  readonly podSubnets: readonly string[]
  readonly serviceSubnets: readonly string[]
  readonly cni: 'flannel' | 'custom' | 'none'
  readonly hasKubeProxy: boolean
  readonly hasCoreDns: boolean
  readonly kubePrismPort: number | undefined
  readonly nodeLabels: Readonly<Record<string, string>>
  readonly nodeAnnotations: Readonly<Record<string, string>>
  readonly nodeTaints: readonly { key: string; value: string; effect: string }[]
  readonly kubernetesAccess: { isEnabled: boolean; roles: string[]; namespaces: string[] }
}

const DEFAULT_KUBE_PRISM_PORT = 7445
const DEFAULT_PODS = '10.244.0.0/16'
const DEFAULT_SERVICES = '10.96.0.0/12'
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane'

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
    ...networkFacts(cluster),
    ...nodeFacts(type, machine, cluster),
    ...imageFacts(machine, cluster, talosVersion),
    install: installFacts(machine.at('install'), document('UnattendedInstallConfig'), talosVersion),
    virtualIps: virtualIps(machine, config),
    hasDiscovery: cluster.at('discovery', 'enabled').value === true,
    hasEtcdAuthority: cluster.text('etcd', 'ca', 'crt') !== '',
    certSans: texts(machine.at('certSANs')),
    apiServerSans: texts(cluster.at('apiServer', 'certSANs')),
    kubePrismPort: kubePrismPort(machine.at('features', 'kubePrism')),
    kubernetesAccess: kubernetesAccess(machine.at('features', 'kubernetesTalosAPIAccess')),
  }
}

type DocumentOf = (kind: string) => ConfigPlace

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

function networkFacts(cluster: ConfigPlace) {
  const network = cluster.at('network')
  return {
    dnsDomain: network.text('dnsDomain') || 'cluster.local',
    podSubnets: textsOr(network.at('podSubnets'), DEFAULT_PODS),
    serviceSubnets: textsOr(network.at('serviceSubnets'), DEFAULT_SERVICES),
    cni: cniOf(network.text('cni', 'name')),
    hasKubeProxy: cluster.at('proxy', 'disabled').value !== true,
    hasCoreDns: cluster.at('coreDNS', 'disabled').value !== true,
  }
}

const cniOf = (name: string): ConfigFacts['cni'] =>
  name === 'custom' || name === 'none' ? name : 'flannel'

function nodeFacts(type: ConfigFacts['type'], machine: ConfigPlace, cluster: ConfigPlace) {
  const isControlPlane = type === 'controlplane'
  const isShared = cluster.at('allowSchedulingOnControlPlanes').value === true
  const taints = Object.entries(textMap(machine.at('nodeTaints'))).map(([key, text]) => {
    const [value = '', effect] = text.split(':', 2)
    return effect === undefined ? { key, value: '', effect: value } : { key, value, effect }
  })
  return {
    skipsNodeRegistration: machine.at('kubelet', 'skipNodeRegistration').value === true,
    nodeLabels: {
      ...(isControlPlane && { [CONTROL_PLANE]: '' }),
      ...textMap(machine.at('nodeLabels')),
    },
    nodeAnnotations: textMap(machine.at('nodeAnnotations')),
    nodeTaints: [
      ...(isControlPlane && !isShared
        ? [{ key: CONTROL_PLANE, value: '', effect: 'NoSchedule' }]
        : []),
      ...taints,
    ],
  }
}

function imageFacts(machine: ConfigPlace, cluster: ConfigPlace, talosVersion: string) {
  const kubelet = machine.text('kubelet', 'image')
  const [, tag] = /:v(\d[^@]*)/.exec(kubelet) ?? []
  const kubernetesVersion = tag ?? defaultKubernetes(talosVersion)
  const defaults = defaultImages({ talosVersion, kubernetesVersion })
  return {
    kubernetesVersion,
    images: {
      ...defaults,
      kubelet: kubelet || defaults.kubelet,
      apiServer: cluster.text('apiServer', 'image') || defaults.apiServer,
      controllerManager: cluster.text('controllerManager', 'image') || defaults.controllerManager,
      scheduler: cluster.text('scheduler', 'image') || defaults.scheduler,
      proxy: cluster.text('proxy', 'image') || defaults.proxy,
      etcd: cluster.text('etcd', 'image') || defaults.etcd,
    },
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

function kubePrismPort(feature: ConfigPlace): number | undefined {
  if (feature.at('enabled').value !== true) return undefined
  const { value } = feature.at('port')
  return typeof value === 'number' ? value : DEFAULT_KUBE_PRISM_PORT
}

const kubernetesAccess = (feature: ConfigPlace): ConfigFacts['kubernetesAccess'] => ({
  isEnabled: feature.at('enabled').value === true,
  roles: texts(feature.at('allowedRoles')),
  namespaces: texts(feature.at('allowedKubernetesNamespaces')),
})

const texts = (place: ConfigPlace): string[] =>
  place.items.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))

function textsOr(place: ConfigPlace, fallback: string): string[] {
  const found = texts(place)
  return found.length > 0 ? found : [fallback]
}

function textMap({ value }: ConfigPlace): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])),
  )
}
