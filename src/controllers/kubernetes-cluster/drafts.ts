import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { CLUSTER_NAME, MADE_AS, ROLE, WORKER_GROUP } from '#api/labels.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { fingerprint } from '#base/fingerprint.ts'
import { toYaml } from '#base/yaml.ts'
import { ownedBy } from '#runtime/controller.ts'
import type { Named } from '#runtime/writer.ts'
import type { WantedFile } from './results.ts'
import type { Shape } from './shape.ts'
import type { Group } from './shape-groups.ts'

export type Role = 'controlplane' | 'worker'

/** A Machine as its cluster wants it. */
type MachineDraft = Named<typeof ProvidedMachine> & {
  metadata: { name: string; labels: Record<string, string>; annotations: Record<string, string> }
}

/** A Machine that is wanted, and what is known of it without looking into it. */
export interface Wanted {
  name: string
  role: Role
  /** Of a worker. */
  group?: string
  draft: MachineDraft
}

/** All Machines of a cluster, in the order in which they are made. */
export const wantedMachines = (cluster: KubernetesCluster, shape: Shape): Wanted[] => [
  ...membersOf(cluster, shape, { ...shape.controlPlane, role: 'controlplane' }),
  ...shape.workers.flatMap((group) => membersOf(cluster, shape, { ...group, role: 'worker' })),
]

type Member = Group & { role: Role; name?: string }

function membersOf(cluster: KubernetesCluster, shape: Shape, group: Member): Wanted[] {
  const { role, name, prefix, replicas } = group
  const labels = {
    ...{ [CLUSTER_NAME]: shape.name, [ROLE]: role },
    ...(name !== undefined && { [WORKER_GROUP]: name }),
  }
  // All of a group are made alike, so that one hash does for all of them.
  const alike = { labels, madeAs: fingerprint({ labels, spec: specFor(group, shape) }) }
  return Array.from({ length: replicas }, (_, index) => ({
    ...{ name: `${prefix}-${index}`, role, ...(name !== undefined && { group: name }) },
    draft: draftOf(cluster, `${prefix}-${index}`, { ...alike, spec: specFor(group, shape) }),
  }))
}

interface Made {
  labels: Record<string, string>
  madeAs: string
  spec: Record<string, unknown>
}

function draftOf(
  cluster: KubernetesCluster,
  name: string,
  { labels, madeAs, spec }: Made,
): MachineDraft {
  const { namespace } = cluster.metadata
  return {
    metadata: {
      ...{ name, ...(namespace !== undefined && { namespace }), labels: { ...labels } },
      annotations: { [MADE_AS]: madeAs },
      ownerReferences: [ownedBy(KubernetesCluster, cluster)],
    },
    spec,
  }
}

/** The template with what the machine becomes. Fields that we do not know stay as they are. */
function specFor({ template: given, role }: Member, shape: Shape): Record<string, unknown> {
  // Copied anew for each: no two machines share anything that could change.
  const template = structuredClone(given)
  const { dnsDomain, podSubnets, serviceSubnets, endpoint, install } = shape
  const talosConfig = recordIn(template.talosConfig)
  const cluster = recordIn(talosConfig.cluster)
  const subnets = { podSubnets: [...podSubnets], serviceSubnets: [...serviceSubnets] }
  const network = { ...recordIn(cluster.network), dnsDomain, ...subnets }
  return {
    ...template,
    talosConfig: {
      ...talosConfig,
      ...{ machineType: role, clusterEndpoint: endpoint, installDisk: install.disk },
      cluster: { ...cluster, network },
    },
  }
}

const recordIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** The manifest of a Machine, as the results folder has it. */
export function fileOf({ name, draft }: Wanted): WantedFile {
  const { annotations, ...metadata } = draft.metadata
  return {
    name: `${name}.yaml`,
    version: `${annotations[MADE_AS]} ${draft.metadata.ownerReferences?.[0]?.uid}`,
    text: () =>
      toYaml({
        ...{ apiVersion: apiVersionOf(ProvidedMachine), kind: ProvidedMachine.kind },
        ...{ metadata, spec: draft.spec },
      }),
  }
}
