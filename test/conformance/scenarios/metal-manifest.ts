import { toYaml } from '#base/yaml.ts'

interface Wanted {
  readonly name: string
  readonly controlPlanes: readonly string[]
  readonly workers: readonly string[]
  readonly versions?: Versions
  readonly annotations?: Readonly<Record<string, string>>
  /** What else is said of both, or of one of them. */
  readonly both?: object
  readonly controlPlane?: object
  readonly worker?: object
  /** What the configurations of all machines, or of workers alone, are patched with. */
  readonly patches?: readonly object[]
  readonly workerPatches?: readonly object[]
}

interface Versions {
  readonly version: string
  readonly kubeVersion: string
}

const VERSIONS: Versions = { version: 'v1.13.0', kubeVersion: 'v1.35.0' }

/** What a user writes for a cluster of machines at these addresses, in YAML. */
export function metalManifest(wanted: Wanted): string {
  const { name, annotations, controlPlanes, workers, patches = [], workerPatches = [] } = wanted
  const { versions = VERSIONS, both = {} } = wanted
  const poolOf = (addresses: readonly string[], configPatches: readonly object[]) => ({
    ...versions,
    mode: 'metal',
    ...both,
    metalSpec: {
      machines: addresses.map((address) => ({ address })),
      ...(configPatches.length > 0 && { machineSpec: { configPatches } }),
    },
  })
  return toYaml({
    apiVersion: 'talos.alperen.cloud/v1alpha1',
    kind: 'TalosCluster',
    metadata: { name, ...(annotations && { annotations }) },
    spec: {
      controlPlane: {
        ...poolOf(controlPlanes, patches),
        endpoint: `https://${controlPlanes[0]}:6443`,
        ...wanted.controlPlane,
      },
      worker: { ...poolOf(workers, [...patches, ...workerPatches]), ...wanted.worker },
    },
  })
}
