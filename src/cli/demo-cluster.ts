import { Cluster } from '#api/cluster.ts'
import { apiVersionOf } from '#api/meta.ts'
import type { DemoAddresses, DemoSize } from './demo-addresses.ts'

/** What the cluster of the demo is called, and where it is. */
export const DEMO = { name: 'demo', namespace: 'default' }

/** What the machines boot. */
export const DEMO_TALOS = 'v1.13.0'
export const DEMO_KUBERNETES = 'v1.35.0'

/** The manifest of the demo: what a user would write for these machines. */
export function demoCluster(
  { addresses, kubernetesPort }: DemoAddresses,
  { controlPlanes, workers }: DemoSize,
) {
  const pool = (own: readonly string[]) => ({
    version: DEMO_TALOS,
    kubeVersion: DEMO_KUBERNETES,
    mode: 'metal' as const,
    metalSpec: { machines: own.map((address) => ({ address })) },
  })
  return {
    apiVersion: apiVersionOf(Cluster),
    kind: Cluster.kind,
    metadata: DEMO,
    spec: {
      controlPlane: {
        ...pool(addresses.slice(0, controlPlanes)),
        endpoint: `https://${addresses[0]}:${kubernetesPort}`,
      },
      ...(workers > 0 && { worker: pool(addresses.slice(controlPlanes)) }),
    },
  }
}
