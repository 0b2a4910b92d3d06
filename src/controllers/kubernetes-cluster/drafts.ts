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

const membersOf = (cluster: KubernetesCluster, shape: Shape, group: Member): Wanted[] =>
  Array.from({ length: group.replicas }, (_, index) => {
    const name = `${group.prefix}-${index}`
    return {
      ...{ name, role: group.role, ...(group.name !== undefined && { group: group.name }) },
      draft: draftOf(cluster, shape, { ...group, machine: name }),
    }
  })

function draftOf(
  cluster: KubernetesCluster,
  shape: Shape,
  { machine, role, name: group, template }: Member & { machine: string },
): MachineDraft {
  const { namespace } = cluster.metadata
  const labels = {
    ...{ [CLUSTER_NAME]: shape.name, [ROLE]: role },
    ...(group !== undefined && { [WORKER_GROUP]: group }),
  }
  // Copied anew for each: no two machines share anything that could change.
  const spec = specFor(structuredClone(template), role, shape)
  return {
    metadata: {
      ...{ name: machine, ...(namespace !== undefined && { namespace }), labels },
      annotations: { [MADE_AS]: fingerprint({ labels, spec }) },
      ownerReferences: [ownedBy(KubernetesCluster, cluster)],
    },
    spec,
  }
}

/** The template with what the machine becomes. Fields that we do not know stay as they are. */
function specFor(template: Readonly<Record<string, unknown>>, role: Role, shape: Shape) {
  const { dnsDomain, podSubnets, serviceSubnets, endpoint, install } = shape
  const talosConfig = recordIn(template.talosConfig)
  const cluster = recordIn(talosConfig.cluster)
  const network = { ...recordIn(cluster.network), dnsDomain, podSubnets, serviceSubnets }
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
