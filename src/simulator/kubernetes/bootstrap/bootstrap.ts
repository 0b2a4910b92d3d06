import type { Fields } from '#apiserver/objects.ts'
import type { ClusterFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'
import type { TalosRelease } from '#simulator/kubernetes/nodes/talos-release.ts'
import type { Id } from '#simulator/kubernetes/objects.ts'

/** An object that Talos creates in a new cluster. */
export interface BootstrapObject {
  id: Id
  fields: Fields
}

/** What the objects of a new cluster are made from. */
export interface Bootstrap {
  facts: ClusterFacts
  release: TalosRelease
  /** `v1.35.0` */
  kubernetesVersion: string
}
