import type { ControlPlane } from '#api/control-plane.ts'
import { KUBE_UPGRADE, KUBE_VERSION, KUBELETS } from '#api/labels.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { type KubernetesRecord, kubernetesText } from '#engine/kubernetes-record.ts'
import { keyOf } from '#kube/cache.ts'
import type { Acts } from '#runtime/definition.ts'
import { annotate } from './annotate.ts'
import { claimedUuid } from './machine-facts.ts'
import { syncManifests } from './sync-manifests.ts'
import type { Step, World } from './world.ts'

type KubernetesStep = Extract<Step, { do: 'moveKubernetes' | 'syncManifests' | 'moveKubelets' }>

/** How another version of Kubernetes comes to a cluster, but for what its machines do. */
export const kubernetesActs = ({
  machines,
  nodes,
}: ClusterPorts): Acts<typeof ControlPlane, World, KubernetesStep> => ({
  moveKubernetes: ({ record, kubeVersion }, { resource, write }) =>
    annotate(resource, write, annotationsFor(record, kubeVersion)),

  moveKubelets: ({ phase }, { resource, write }) =>
    annotate(resource, write, { [KUBELETS]: phase ?? null }),

  syncManifests: async ({ machine: name, uuid, record }, { resource, world, write }) => {
    const { access } = world.means
    const machine = world.machines.find(({ metadata }) => metadata.name === name)
    if (!access || !machine || claimedUuid(machine) !== uuid) {
      throw new Error('the plan is not of this look')
    }
    const from = { machines, nodes, access, machine, cluster: keyOf(resource) }
    await syncManifests(from, write.signal)
    await annotate(resource, write, annotationsFor(record, record.target))
  },
})

const annotationsFor = (record: KubernetesRecord | undefined, kubeVersion: string) => ({
  ...{ [KUBE_VERSION]: kubeVersion, [KUBE_UPGRADE]: record ? kubernetesText(record) : null },
})
