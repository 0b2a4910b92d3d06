import type { Fields } from '#apiserver/objects.ts'
import type { AddOnImages, ClusterFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'
import type { Id } from '#simulator/kubernetes/objects.ts'
import type { ManifestKind } from './manifest-kinds.ts'

/** An object that Talos creates in a new cluster. */
export interface BootstrapObject {
  id: Id & { plural: ManifestKind }
  fields: Fields
}

/** What the objects of a new cluster are made from. */
export interface Bootstrap {
  facts: BootstrapFacts
  images: AddOnImages
}

export type BootstrapFacts = Pick<
  ClusterFacts,
  'endpoint' | 'dnsDomain' | 'podSubnets' | 'serviceSubnets' | 'cni' | 'hasKubeProxy' | 'hasCoreDns'
>
