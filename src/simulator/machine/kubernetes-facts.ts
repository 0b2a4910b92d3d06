import type { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import { defaultImages, defaultKubernetes, type Images } from '#machineconfig/versions/images.ts'
import type { DocumentOf } from './document-of.ts'

/** What a configuration says about Kubernetes. */
export interface KubernetesFacts {
  readonly images: Images
  readonly kubernetesVersion: string
  readonly extraArgs: ExtraArgs
  readonly skipsNodeRegistration: boolean
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

/** Values of further flags, by their names. */
export type Flags = Readonly<Record<string, readonly string[]>>

type ExtraArgs = Readonly<
  Record<'apiServer' | 'controllerManager' | 'scheduler' | 'kubelet', Flags>
>

/** A configuration: its first document, or those which have the place of it from v1.14 on. */
interface Parts {
  readonly type: 'controlplane' | 'worker'
  readonly machine: ConfigPlace
  readonly cluster: ConfigPlace
  readonly document: DocumentOf
}

const DEFAULT_KUBE_PRISM_PORT = 7445
const DEFAULT_PODS = '10.244.0.0/16'
const DEFAULT_SERVICES = '10.96.0.0/12'
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane'

/** Reads it. A document wins: Talos refuses both for the same thing. */
export const kubernetesFacts = (parts: Parts, talosVersion: string): KubernetesFacts => ({
  ...networkFacts(parts),
  ...addOnFacts(parts),
  ...nodeFacts(parts),
  ...imageFacts(parts, talosVersion),
  extraArgs: extraArgs(parts),
  apiServerSans: [
    ...texts(parts.cluster.at('apiServer', 'certSANs')),
    ...texts(parts.document('KubeAPIServerConfig').at('certExtraSANs')),
  ],
  kubePrismPort: kubePrismPort(parts),
  kubernetesAccess: kubernetesAccess(parts),
})

function networkFacts({ cluster, document }: Parts) {
  const network = present(document('KubeNetworkConfig')) ?? cluster.at('network')
  return {
    dnsDomain: network.text('dnsDomain') || 'cluster.local',
    podSubnets: textsOr(network.at('podSubnets'), DEFAULT_PODS),
    serviceSubnets: textsOr(network.at('serviceSubnets'), DEFAULT_SERVICES),
  }
}

function addOnFacts({ cluster, document }: Parts) {
  // With documents, what has none is not there; without, what is not switched off is.
  if (present(document('KubeClusterConfig'))) {
    return {
      cni: documentedCni(document),
      hasKubeProxy: isEnabled(document('KubeProxyConfig')),
      hasCoreDns: isEnabled(document('KubeCoreDNSConfig')),
    }
  }
  return {
    cni: cniOf(cluster.text('network', 'cni', 'name')),
    hasKubeProxy: cluster.at('proxy', 'disabled').value !== true,
    hasCoreDns: cluster.at('coreDNS', 'disabled').value !== true,
  }
}

const isEnabled = (document: ConfigPlace): boolean =>
  present(document) !== undefined && document.at('enabled').value !== false

function documentedCni(document: DocumentOf): KubernetesFacts['cni'] {
  if (present(document('KubeFlannelCNIConfig'))) return 'flannel'
  return present(document('KubeExternalManifestConfig')) ? 'custom' : 'none'
}

const cniOf = (name: string): KubernetesFacts['cni'] =>
  name === 'custom' || name === 'none' ? name : 'flannel'

function nodeFacts(parts: Parts) {
  const node = present(parts.document('KubeNodeConfig'))
  return node ? documentedNode(node) : legacyNode(parts)
}

const documentedNode = (node: ConfigPlace) => ({
  skipsNodeRegistration: node.at('skipNodeRegistration').value === true,
  nodeLabels: textMap(node.at('labels')),
  nodeAnnotations: textMap(node.at('annotations')),
  nodeTaints: taintsIn(node.at('taints')),
})

function legacyNode({ type, machine, cluster }: Parts) {
  const isControlPlane = type === 'controlplane'
  const isShared = cluster.at('allowSchedulingOnControlPlanes').value === true
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
      ...taintsIn(machine.at('nodeTaints')),
    ],
  }
}

const taintsIn = (place: ConfigPlace): KubernetesFacts['nodeTaints'] =>
  Object.entries(textMap(place)).map(([key, text]) => {
    const [value = '', effect] = text.split(':', 2)
    return effect === undefined ? { key, value: '', effect: value } : { key, value, effect }
  })

function imageFacts({ machine, cluster, document }: Parts, talosVersion: string) {
  const image = (kind: string, section: ConfigPlace) =>
    document(kind).text('image') || section.text('image')
  const kubelet = image('KubeletConfig', machine.at('kubelet'))
  const [, tag] = /:v(\d[^@]*)/.exec(kubelet) ?? []
  const kubernetesVersion = tag ?? defaultKubernetes(talosVersion)
  const defaults = defaultImages({ talosVersion, kubernetesVersion })
  const component = (kind: string, name: string) => image(kind, cluster.at(name))
  return {
    kubernetesVersion,
    images: {
      ...defaults,
      kubelet: kubelet || defaults.kubelet,
      apiServer: component('KubeAPIServerConfig', 'apiServer') || defaults.apiServer,
      controllerManager:
        component('KubeControllerManagerConfig', 'controllerManager') || defaults.controllerManager,
      scheduler: component('KubeSchedulerConfig', 'scheduler') || defaults.scheduler,
      proxy: component('KubeProxyConfig', 'proxy') || defaults.proxy,
      coreDns: component('KubeCoreDNSConfig', 'coreDNS') || defaults.coreDns,
      etcd: cluster.text('etcd', 'image') || defaults.etcd,
    },
  }
}

function extraArgs({ machine, cluster, document }: Parts): ExtraArgs {
  const flags = (kind: string, section: ConfigPlace) =>
    flagsIn((present(document(kind)) ?? section).at('extraArgs'))
  return {
    apiServer: flags('KubeAPIServerConfig', cluster.at('apiServer')),
    controllerManager: flags('KubeControllerManagerConfig', cluster.at('controllerManager')),
    scheduler: flags('KubeSchedulerConfig', cluster.at('scheduler')),
    kubelet: flags('KubeletConfig', machine.at('kubelet')),
  }
}

function flagsIn(place: ConfigPlace): Flags {
  const { value } = place
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.keys(value).map((name) => {
      const at = place.at(name)
      return [name, at.items.length > 0 ? texts(at) : [at.text()]]
    }),
  )
}

function kubePrismPort({ machine, document }: Parts): number | undefined {
  const feature = machine.at('features', 'kubePrism')
  const documented = present(document('KubePrismConfig'))
  if (!documented && feature.at('enabled').value !== true) return undefined
  const { value } = (documented ?? feature).at('port')
  return typeof value === 'number' ? value : DEFAULT_KUBE_PRISM_PORT
}

function kubernetesAccess({ machine, document }: Parts): KubernetesFacts['kubernetesAccess'] {
  const feature = machine.at('features', 'kubernetesTalosAPIAccess')
  const documented = present(document('KubeTalosAPIAccessConfig'))
  const place = documented ?? feature
  return {
    isEnabled: documented !== undefined || feature.at('enabled').value === true,
    roles: texts(place.at('allowedRoles')),
    namespaces: texts(place.at('allowedKubernetesNamespaces')),
  }
}

const present = (place: ConfigPlace): ConfigPlace | undefined =>
  place.value === undefined ? undefined : place

/** The items of a list that are texts. */
export const texts = (place: ConfigPlace): string[] =>
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
