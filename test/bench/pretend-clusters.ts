import { Cluster } from '#api/cluster.ts'
import type { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { metalManifest } from '#cli/metal-manifest.ts'
import { secretsDraft } from '#engine/cluster-secrets.ts'
import type { KubeClient } from '#kube/client.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { PRETEND_TALOS } from './pretend-machines.ts'
import { KUBERNETES_PORT } from './simulated-fleet.ts'

const KUBERNETES = 'v1.35.0'
// The keys of newer versions contain an RSA key, which takes seconds to make.
const SECRETS_OF = 'v1.6.0'
const NAMESPACE = 'default'
const PER_BLOCK = 256

export interface PretendCluster {
  name: string
  /** Of its machines, those of the control plane first. */
  addresses: readonly string[]
  controlPlanes: number
}

/** Addresses of this machine, as `simulate` counts them: 127.<block>.0.1 is the first. */
export const loopback = (block: number, from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index + 1
    return `127.${block}.${Math.floor(number / PER_BLOCK)}.${number % PER_BLOCK}`
  })

/** Creates a TalosCluster whose secrets the user brings. */
export async function createCluster(client: KubeClient, cluster: PretendCluster): Promise<void> {
  await bringSecrets(client, cluster.name)
  await client.create(Cluster, clusterDraft(cluster))
}

/** Makes the Secret that a cluster of this name is then made with. */
export async function bringSecrets(client: KubeClient, name: string): Promise<void> {
  const controlPlane = { metadata: { name, namespace: NAMESPACE } } as ControlPlane // as far as it is looked at
  const bundle = await generateBundle({ talosVersion: SECRETS_OF, now: new Date() })
  const { metadata, ...secret } = secretsDraft(controlPlane, bundle, {}).open()
  await client.create(Secret, { ...secret, metadata: { ...metadata, namespace: NAMESPACE } })
}

/** The TalosCluster itself. */
export const clusterDraft = ({ name, addresses, controlPlanes }: PretendCluster) =>
  metalManifest({
    ...{ name, namespace: NAMESPACE, addresses, controlPlanes },
    ...{ talos: PRETEND_TALOS, kubernetes: KUBERNETES, kubernetesPort: KUBERNETES_PORT },
  })
