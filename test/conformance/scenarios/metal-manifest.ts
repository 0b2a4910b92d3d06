import { toYaml } from '#base/yaml.ts'

interface Wanted {
  readonly name: string
  readonly controlPlanes: readonly string[]
  readonly workers: readonly string[]
}

const VERSIONS = { version: 'v1.13.0', kubeVersion: 'v1.35.0' }

/** What a user writes for a cluster of machines at these addresses, in YAML. */
export const metalManifest = ({ name, controlPlanes, workers }: Wanted): string =>
  toYaml({
    apiVersion: 'talos.alperen.cloud/v1alpha1',
    kind: 'TalosCluster',
    metadata: { name },
    spec: {
      controlPlane: { ...poolOf(controlPlanes), endpoint: `https://${controlPlanes[0]}:6443` },
      worker: poolOf(workers),
    },
  })

const poolOf = (addresses: readonly string[]) => ({
  ...VERSIONS,
  mode: 'metal',
  metalSpec: { machines: addresses.map((address) => ({ address })) },
})
