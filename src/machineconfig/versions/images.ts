import { ConfigError } from '#machineconfig/config-error.ts'
import { releaseFor } from './contract.ts'

const FACTORY = 'factory.talos.dev'

/** What a machine runs, each with its tag. */
export interface Images {
  readonly kubelet: string
  readonly apiServer: string
  readonly controllerManager: string
  readonly scheduler: string
  readonly proxy: string
  readonly coreDns: string
  readonly etcd: string
  readonly flannel: string
  /** Talos sets none before v1.8. */
  readonly pause?: string
}

/** The images that Talos takes when the configuration names none. */
export function defaultImages(versions: {
  talosVersion: string
  kubernetesVersion: string
}): Images {
  const { minor, tags, pause } = releaseFor(versions.talosVersion)
  const kubernetes = (name: string) =>
    `registry.k8s.io/${name}:v${withoutV(versions.kubernetesVersion)}`
  const etcd = minor < 12 ? 'gcr.io/etcd-development/etcd' : 'registry.k8s.io/etcd'
  return {
    kubelet: kubeletImage(versions.kubernetesVersion),
    apiServer: kubernetes('kube-apiserver'),
    controllerManager: kubernetes('kube-controller-manager'),
    scheduler: kubernetes('kube-scheduler'),
    proxy: kubernetes('kube-proxy'),
    coreDns: `registry.k8s.io/coredns/coredns:${tags.coreDns}`,
    etcd: `${etcd}:${tags.etcd}`,
    flannel: `ghcr.io/siderolabs/flannel:${tags.flannel}`,
    ...(pause && { pause: `registry.k8s.io/pause:${pause}` }),
  }
}

/** Talos' own build of the kubelet. */
export const kubeletImage = (kubernetesVersion: string): string =>
  `ghcr.io/siderolabs/kubelet:v${withoutV(kubernetesVersion)}`

/** The version of Kubernetes that comes with a version of Talos, without `v`. */
export const defaultKubernetes = (talosVersion: string): string =>
  releaseFor(talosVersion).defaultKubernetes

export interface InstallerChoice {
  /** With or without `v`. */
  readonly talosVersion: string
  /** Of the image factory. Without one: the plain installer, without extensions. */
  readonly schematic?: string
  /** `metal` and the like: the installer for that platform. Left out: the older one, for metal. */
  readonly platform?: string
  readonly secureBoot?: boolean
  /** Host of another image factory. */
  readonly factory?: string
}

/** The name of the image that installs a version of Talos. */
export function installerImage(choice: InstallerChoice): string {
  const { schematic, platform, secureBoot = false, factory = FACTORY } = choice
  const tag = `v${withoutV(choice.talosVersion)}`
  if (schematic === undefined) {
    if (secureBoot) {
      throw new ConfigError('an installer for SecureBoot needs a schematic of the image factory')
    }
    return `ghcr.io/siderolabs/installer:${tag}`
  }
  const name = `${platform ? `${platform}-` : ''}installer${secureBoot ? '-secureboot' : ''}`
  return `${factory}/${name}/${schematic}:${tag}`
}

const withoutV = (version: string): string => version.replace(/^v/, '')
