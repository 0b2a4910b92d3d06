import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import type { Objects } from './objects.ts'

/** All that clusters by their shape have, just before a call that changes something of it. */
export interface ProvidedAround {
  readonly clusters: readonly KubernetesCluster[]
  readonly machines: readonly ProvidedMachine[]
  readonly parts: readonly (ControlPlane | Worker)[]
  readonly talosMachines: readonly Machine[]
  /** What an object is to become. Left out where it is to go. */
  readonly sent?: KubeObject
}

const PARTS = [ControlPlane.plural, Worker.plural]
const KINDS = [KubernetesCluster.plural, ProvidedMachine.plural, ...PARTS]

/** Whether it may be about a cluster by its shape: others have parts of these kinds, too. */
export const mayBeOfShape = (kind: string): boolean => KINDS.includes(kind)

/** Whether it is for a cluster by its shape that this is done. */
export const isOfShape = (kind: string, sent: KubeObject | undefined): boolean =>
  !PARTS.includes(kind) || ownerIn(sent) !== undefined

/** The KubernetesCluster that an object is to belong to. */
export const ownerIn = (sent: KubeObject | undefined) =>
  sent?.metadata?.ownerReferences?.find(({ kind }) => kind === KubernetesCluster.kind)

export async function providedAround(
  objects: Objects,
  sent: KubeObject | undefined,
): Promise<ProvidedAround> {
  const [clusters, machines, controlPlanes, workers, talosMachines] = await Promise.all([
    objects.list(KubernetesCluster),
    objects.list(ProvidedMachine),
    objects.list(ControlPlane),
    objects.list(Worker),
    objects.list(Machine),
  ])
  const parts = [...controlPlanes, ...workers]
  return { clusters, machines, parts, talosMachines, ...(sent && { sent }) }
}
