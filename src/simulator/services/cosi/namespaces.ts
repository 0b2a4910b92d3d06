import type { MachineResource } from '#simulator/resources/resource-store.ts'

const NONE: ReadonlyMap<string, string> = new Map()
const NAMESPACES = 'Namespaces.meta.cosi.dev'

/** Where resources are, each with what it is for. */
const namespaces: ReadonlyMap<string, string> = new Map([
  ['meta', 'Types and namespaces of resources.'],
  ['runtime', 'What runs on the machine.'],
  ['cluster', 'The cluster and its members.'],
  ['cluster-raw', 'Members as each source reports them.'],
  ['config', 'The configuration of the machine.'],
  ['etcd', 'etcd on the machine.'],
  ['files', 'Files that Talos writes.'],
  ['hardware', 'What the machine is made of.'],
  ['k8s', 'Kubernetes on all machines.'],
  ['controlplane', 'Kubernetes on control planes.'],
  ['kubespan', 'KubeSpan.'],
  ['network', 'The network of the machine.'],
  ['network-config', 'The network as it is configured.'],
  ['cri', 'Profiles and registries for containers.'],
  ['secrets', 'Keys and certificates.'],
  ['security', 'What is trusted.'],
  ['perf', 'How busy the machine is.'],
])

/** Whether there is such a place. */
export const isNamespace = (name: string): boolean => namespaces.has(name)

/** The places, as resources: the same for all machines, so that none has to hold them. Undefined for other types. */
export function namespaceResources(
  namespace: string,
  type: string,
): readonly MachineResource[] | undefined {
  if (namespace !== 'meta' || type !== NAMESPACES) return undefined
  return [...namespaces].map(([id, description]) => ({
    ...{ namespace: 'meta', type, id, version: 1, owner: '', phase: 'running' },
    ...{ createdMs: 0, updatedMs: 0, labels: NONE, annotations: NONE },
    spec: { description },
  }))
}
