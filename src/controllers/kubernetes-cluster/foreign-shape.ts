import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'

// Fields of the two other shapes that are published under the same name and version.
const STRANGE = ['data', 'topology', 'providerRef', 'networking']

/**
 * Says of an object that has the shape of another project's kind that nothing may be done for it: it has a controller of
 * its own, with which we would quarrel over its status for ever.
 */
export const strangeShape = ({ spec = {} }: KubernetesCluster): KubeObject[] =>
  STRANGE.some((field) => Object.hasOwn(spec, field))
    ? [{ metadata: { name: '', annotations: { [RECONCILE_MODE]: 'disable' } } }]
    : []
