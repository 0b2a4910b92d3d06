import { Cluster } from '#api/cluster.ts'
import { apiVersionOf } from '#api/meta.ts'

interface Wanted {
  readonly name: string
  readonly namespace: string
  readonly talos: string
  readonly kubernetes: string
  /** Of its machines, those of the control plane first. */
  readonly addresses: readonly string[]
  readonly controlPlanes: number
  readonly kubernetesPort: number
}

/** A TalosCluster on machines that are there, as a user would write it. Its API is at its first machine. */
export function metalManifest(wanted: Wanted) {
  const { name, namespace, talos, kubernetes, addresses, controlPlanes, kubernetesPort } = wanted
  const pool = (own: readonly string[]) => ({
    version: talos,
    kubeVersion: kubernetes,
    mode: 'metal' as const,
    metalSpec: { machines: own.map((address) => ({ address })) },
  })
  const workers = addresses.slice(controlPlanes)
  return {
    apiVersion: apiVersionOf(Cluster),
    kind: Cluster.kind,
    metadata: { name, namespace },
    spec: {
      controlPlane: {
        ...pool(addresses.slice(0, controlPlanes)),
        endpoint: `https://${addresses[0]}:${kubernetesPort}`,
      },
      ...(workers.length > 0 && { worker: pool(workers) }),
    },
  }
}
