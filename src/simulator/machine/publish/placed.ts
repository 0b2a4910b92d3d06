import type { ShownResource } from '#simulator/resources/machine-resources.ts'

/** Builds resources of one namespace and one group: `placed('runtime', 'runtime.talos.dev')('Versions', 'version', …)`. */
export const placed =
  (namespace: string, group: string) =>
  (name: string, id: string, spec: unknown): ShownResource => ({
    namespace,
    type: `${name}.${group}`,
    id,
    spec,
  })
