import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { apiVersionOf } from '#api/meta.ts'
import { problem } from '#base/problem.ts'
import type { DemoAddresses, DemoSize } from './demo-addresses.ts'
import { DEMO, DEMO_KUBERNETES, DEMO_TALOS } from './demo-cluster.ts'

/** What the machines of the demo are ordered from. */
export const DEMO_PROVIDER = 'simulated'

const GIB = 1024 ** 3
const SIZES = [1, 3, 5]

/** The manifest of the demo: a cluster by its shape, whose machines a provider makes. */
export function demoKubernetesCluster(
  { addresses, kubernetesPort }: DemoAddresses,
  { controlPlanes, workers }: DemoSize,
) {
  checkSize(controlPlanes)
  const machineTemplate = {
    spec: {
      ...{ provider: DEMO_PROVIDER, cpu: { cores: 4 }, memory: 8 * GIB },
      disks: [{ name: 'root', sizeGB: 20, boot: true }],
    },
  }
  return {
    apiVersion: apiVersionOf(KubernetesCluster),
    kind: KubernetesCluster.kind,
    metadata: DEMO,
    spec: {
      kubernetesVersion: DEMO_KUBERNETES,
      talosVersion: DEMO_TALOS,
      // Control planes are ordered first, so one of them is there.
      clusterEndpoint: `https://${addresses[0]}:${kubernetesPort}`,
      controlPlane: { replicas: controlPlanes, machineTemplate },
      ...(workers > 0 && { workers: [{ name: 'workers', replicas: workers, machineTemplate }] }),
    },
  }
}

function checkSize(controlPlanes: number): void {
  if (SIZES.includes(controlPlanes)) return
  throw problem({
    what: `a KubernetesCluster cannot have ${controlPlanes} control planes`,
    why: `it has ${SIZES.slice(0, -1).join(', ')} or ${SIZES.at(-1)}`,
    remedy: 'choose one of these (--control-planes), or leave --kubernetes-cluster out',
  })
}
