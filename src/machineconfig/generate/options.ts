import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { ComponentVersions } from '#machineconfig/versions/kubernetes-components.ts'

export type Role = 'controlplane' | 'worker'

/** What a cluster's machine configurations are made from. Left out: as `talosctl gen config` has it. */
export interface ClusterOptions {
  readonly clusterName: string
  /** `https://host:6443`, as given. */
  readonly endpoint: string
  readonly secrets: SecretsBundle
  /** The contract: the form of the configuration is that of this minor version, `v1.13` or `v1.13.0`. */
  readonly talosVersion: string
  /** With or without `v`. Empty: no image of Kubernetes is named, so that Talos takes its own. */
  readonly kubernetesVersion: string
  /** Of those components that are at another version, as in the middle of an upgrade. */
  readonly componentVersions?: Partial<ComponentVersions>
  readonly dnsDomain?: string
  /** Empty is the same as left out. */
  readonly podSubnets?: readonly string[]
  readonly serviceSubnets?: readonly string[]
  readonly cni?: Cni
  /** Into the certificates of the Talos API and of the Kubernetes API. */
  readonly additionalSans?: readonly string[]
  readonly localApiServerPort?: number
  readonly allowSchedulingOnControlPlanes?: boolean
  readonly discovery?: boolean
  readonly kubeSpan?: boolean
  readonly install?: InstallOptions
  readonly registryMirrors?: Readonly<Record<string, readonly string[]>>
  readonly sysctls?: Readonly<Record<string, string>>
  readonly persist?: boolean
  readonly debug?: boolean
}

export type Cni =
  | {
      readonly name: 'flannel'
      readonly extraArgs?: readonly string[]
      readonly kubeNetworkPolicies?: boolean
    }
  | { readonly name: 'custom'; readonly urls: readonly string[] }
  | { readonly name: 'none' }

export interface InstallOptions {
  /** Left out: `/dev/sda`. Empty: none is named, so that a patch has to bring a `diskSelector`. */
  readonly disk?: string
  /** Left out: the plain installer of `talosVersion`. */
  readonly image?: string
  readonly wipe?: boolean
  /** From v1.12 on they replace the kernel arguments of the image: Talos takes one or the other. */
  readonly extraKernelArgs?: readonly string[]
  readonly bootloader?: boolean
}
