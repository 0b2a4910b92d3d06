import { Cluster } from '#api/cluster.ts'
import { apiVersionOf } from '#api/meta.ts'

interface ClusterShape {
  name: string
  endpoint: string
  controlPlanes: readonly string[]
  workers: readonly string[]
  versions?: Versions
}

export interface Versions {
  readonly talos: string
  readonly kubernetes: string
}

export const NEWEST: Versions = { talos: 'v1.13.0', kubernetes: 'v1.35.0' }
/** Its secrets have no RSA key, which takes seconds to make. */
export const QUICK: Versions = { talos: 'v1.6.7', kubernetes: 'v1.29.7' }

/** A TalosCluster on these addresses. */
export function talosCluster(shape: ClusterShape) {
  const { name, endpoint, controlPlanes, workers, versions = NEWEST } = shape
  const pool = (addresses: readonly string[]) => ({
    version: versions.talos,
    kubeVersion: versions.kubernetes,
    mode: 'metal',
    metalSpec: { machines: addresses.map((address) => ({ address })) },
  })
  return {
    apiVersion: apiVersionOf(Cluster),
    kind: Cluster.kind,
    metadata: { name, namespace: 'default', annotations: {} },
    spec: {
      controlPlane: { ...pool(controlPlanes), endpoint },
      ...(workers.length > 0 && { worker: pool(workers) }),
    },
  }
}
