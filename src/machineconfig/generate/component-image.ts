import type { ValueMap } from '#machineconfig/document.ts'
import { kubernetesImage } from '#machineconfig/versions/images.ts'
import type { KubernetesComponent } from '#machineconfig/versions/kubernetes-components.ts'
import type { ClusterOptions } from './options.ts'

/** The `image` of a component; nothing where Talos is to take its own. */
export function componentImage(options: ClusterOptions, component: KubernetesComponent): ValueMap {
  const { kubernetesVersion, componentVersions = {} } = options
  const version = componentVersions[component] ?? kubernetesVersion
  return version ? { image: kubernetesImage(component, version) } : {}
}
