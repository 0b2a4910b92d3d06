import { ConfigError } from '#machineconfig/config-error.ts'
import { releaseFor } from './contract.ts'
import type { KubernetesComponent } from './kubernetes-components.ts'

const FACTORY = 'factory.talos.dev'

// The kubelet is Talos' own build.
const REPOSITORIES: Readonly<Record<KubernetesComponent, string>> = {
  apiServer: 'registry.k8s.io/kube-apiserver',
  controllerManager: 'registry.k8s.io/kube-controller-manager',
  scheduler: 'registry.k8s.io/kube-scheduler',
  proxy: 'registry.k8s.io/kube-proxy',
  kubelet: 'ghcr.io/siderolabs/kubelet',
}

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
  const kubernetes = (component: KubernetesComponent) =>
    kubernetesImage(component, versions.kubernetesVersion)
  const etcd = minor < 12 ? 'gcr.io/etcd-development/etcd' : 'registry.k8s.io/etcd'
  return {
    kubelet: kubernetes('kubelet'),
    apiServer: kubernetes('apiServer'),
    controllerManager: kubernetes('controllerManager'),
    scheduler: kubernetes('scheduler'),
    proxy: kubernetes('proxy'),
    coreDns: `registry.k8s.io/coredns/coredns:${tags.coreDns}`,
    etcd: `${etcd}:${tags.etcd}`,
    flannel: `ghcr.io/siderolabs/flannel:${tags.flannel}`,
    ...(pause && { pause: `registry.k8s.io/pause:${pause}` }),
  }
}

/** The image of one component that Talos takes when the configuration names none. */
export const kubernetesImage = (component: KubernetesComponent, version: string): string =>
  `${REPOSITORIES[component]}:v${withoutV(version)}`

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
