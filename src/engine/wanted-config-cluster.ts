import type { Static } from 'typebox'
import type { ControlPlane, controlPlaneSpec } from '#api/control-plane.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { ClusterOptions, Cni } from '#machineconfig/generate/options.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { ComponentVersions } from '#machineconfig/versions/kubernetes-components.ts'
import { compareVersions, parseVersion } from '#machineconfig/versions/version.ts'

type ControlPlaneSpec = Static<typeof controlPlaneSpec>

const API_PORT = 6443

/** Where the cluster's Kubernetes API is reached. */
export const endpointOf = ({ metadata, spec }: ControlPlane): string =>
  spec?.endpoint ?? `https://${metadata.name}:${API_PORT}`

interface MadeFor {
  bundle: SecretsBundle
  talos: string
  kubernetes: string
  /** Where they are not all of that. */
  components?: ComponentVersions
}

/** What the configurations of all machines of a control plane's cluster have in common. */
export function clusterOptionsOf(
  controlPlane: ControlPlane,
  spec: ControlPlaneSpec,
  { bundle, ...versions }: MadeFor,
): ClusterOptions {
  const cni = cniOf(spec.cni)
  return {
    clusterName: controlPlane.metadata.name,
    endpoint: endpointOf(controlPlane),
    secrets: bundle,
    talosVersion: versions.talos,
    kubernetesVersion: versions.kubernetes,
    ...(versions.components && { componentVersions: versions.components }),
    dnsDomain: spec.clusterDomain,
    podSubnets: spec.podCIDR ?? [],
    serviceSubnets: spec.serviceCIDR ?? [],
    ...(cni && { cni }),
  }
}

function cniOf(cni: ControlPlaneSpec['cni']): Cni | undefined {
  if (cni === undefined) return undefined
  const { urls = [], flannel } = cni
  const name = cni.name ?? (flannel ? 'flannel' : undefined)
  if (urls.length > 0 && name !== 'custom') {
    throw new ConfigError('cni.urls: only a network with `name: custom` has manifests of its own')
  }
  if (flannel && name !== 'flannel') {
    throw new ConfigError(`cni.flannel: the network is \`name: ${name}\`, not flannel`)
  }
  if (name === 'custom') return { name, urls }
  return name === 'flannel' ? flannelOf(flannel) : name && { name }
}

function flannelOf(flannel: NonNullable<ControlPlaneSpec['cni']>['flannel'] = {}): Cni {
  const { extraArgs, kubeNetworkPoliciesEnabled: kubeNetworkPolicies } = flannel
  return {
    name: 'flannel',
    ...(extraArgs && { extraArgs }),
    ...(kubeNetworkPolicies !== undefined && { kubeNetworkPolicies }),
  }
}

/** The older of two versions; the first if one of them is none. */
export function olderOf(one: string, other: string): string {
  const [first, second] = [parseVersion(one), parseVersion(other)]
  return first && second && compareVersions(second, first) < 0 ? other : one
}
