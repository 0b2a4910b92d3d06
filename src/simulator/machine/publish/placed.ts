import type { ShownResource } from '#simulator/resources/machine-resources.ts'

/** Builds resources of one namespace and one group: `placed('runtime', 'runtime.talos.dev')('Versions', 'version', …)`. */
export function placed(namespace: string, group: string) {
  // One text for all resources of a type: a fleet has a hundred thousand of them.
  const types = new Map<string, string>()
  return (name: string, id: string, spec: unknown): ShownResource => {
    const type = types.get(name) ?? `${name}.${group}`
    types.set(name, type)
    return { namespace, type, id, spec }
  }
}
