// What a machine knows of its cluster, its network and Kubernetes.

import { type Static, Type } from 'typebox'
import { fromYaml, type ResourceKind } from './resource-kind.ts'

const Text = Type.Optional(Type.String())
// Go writes a list that was never made as null.
const Texts = Type.Union([Type.Null(), Type.Array(Type.String())])

const Member = Type.Object({
  nodeId: Type.String(),
  addresses: Type.Optional(Texts),
  hostname: Text,
  machineType: Text,
  operatingSystem: Text,
})

/** The machines of the cluster, as discovered. */
export const members: ResourceKind<Static<typeof Member>> = {
  type: 'Members.cluster.talos.dev',
  namespace: 'cluster',
  decode: fromYaml(Member),
}

const NodeAddress = Type.Object({ addresses: Texts })

/** `default`, `current`, `routed` …, each also as `current-no-k8s`. */
export const nodeAddresses: ResourceKind<Static<typeof NodeAddress>> = {
  type: 'NodeAddresses.net.talos.dev',
  namespace: 'network',
  decode: fromYaml(NodeAddress),
}

const HostnameStatus = Type.Object({ hostname: Type.String(), domainname: Text })

export const hostnameStatuses: ResourceKind<Static<typeof HostnameStatus>> = {
  type: 'HostnameStatuses.net.talos.dev',
  namespace: 'network',
  decode: fromYaml(HostnameStatus),
}

const EtcdMember = Type.Object({ memberID: Type.String({ pattern: '^[0-9a-f]{1,16}$' }) })

export const etcdMembers: ResourceKind<Static<typeof EtcdMember>> = {
  type: 'EtcdMembers.etcd.talos.dev',
  namespace: 'etcd',
  decode: fromYaml(EtcdMember),
}

const Nodename = Type.Object({
  nodename: Type.String(),
  skipNodeRegistration: Type.Optional(Type.Boolean()),
})

export const nodenames: ResourceKind<Static<typeof Nodename>> = {
  type: 'Nodenames.kubernetes.talos.dev',
  namespace: 'k8s',
  decode: fromYaml(Nodename),
}

const NodeStatus = Type.Object({
  nodename: Type.String(),
  nodeReady: Type.Boolean(),
  unschedulable: Type.Boolean(),
})

export const nodeStatuses: ResourceKind<Static<typeof NodeStatus>> = {
  type: 'NodeStatuses.kubernetes.talos.dev',
  namespace: 'k8s',
  decode: fromYaml(NodeStatus),
}

const StaticPodStatus = Type.Object({
  phase: Text,
  conditions: Type.Optional(
    Type.Array(Type.Object({ type: Type.String(), status: Type.String(), reason: Text })),
  ),
})

/** By `kube-system/kube-apiserver-<node>`. */
export const staticPodStatuses: ResourceKind<Static<typeof StaticPodStatus>> = {
  type: 'StaticPodStatuses.kubernetes.talos.dev',
  namespace: 'k8s',
  decode: fromYaml(StaticPodStatus),
}

const ComponentConfig = Type.Object({ image: Type.String() })

const componentConfigs = (type: string): ResourceKind<Static<typeof ComponentConfig>> => ({
  type,
  namespace: 'controlplane',
  decode: fromYaml(ComponentConfig),
})

/** Of the control plane: the image, and the version of the resource, which the pod is annotated with. */
export const components = {
  'kube-apiserver': componentConfigs('APIServerConfigs.kubernetes.talos.dev'),
  'kube-controller-manager': componentConfigs('ControllerManagerConfigs.kubernetes.talos.dev'),
  'kube-scheduler': componentConfigs('SchedulerConfigs.kubernetes.talos.dev'),
} as const

const ManifestObject = Type.Object({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: Type.Object({ name: Type.String(), namespace: Text }),
})

/** An object of Kubernetes as a machine would have it, with everything that it has. */
export type ManifestObject = Static<typeof ManifestObject> & Readonly<Record<string, unknown>>

/** What a cluster needs from the start, by names like `05-flannel`. Tokens are among it. */
export const manifests: ResourceKind<readonly ManifestObject[] | null> = {
  type: 'Manifests.kubernetes.talos.dev',
  namespace: 'controlplane',
  // Both forms together: four mebibytes of YAML.
  most: { resources: 500, bytes: 8 * 1024 * 1024 },
  decode: fromYaml(Type.Union([Type.Null(), Type.Array(ManifestObject)])),
}
