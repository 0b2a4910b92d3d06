import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Node, Pod } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import type { Fleet } from '#simulator/fleet/fleet.ts'
import { objectsIn } from './cluster-content.ts'

const ENDED: readonly (string | undefined)[] = ['Succeeded', 'Failed']

/**
 * The pods that run on the node of a machine and would have to leave it before that is taken down. None where nobody would
 * wait for them: its cluster goes as a whole, its node is not ready, or whoever it belongs to says that it goes with them.
 */
export async function undrainedOn(
  fleet: Fleet,
  uuid: string,
  { claimed, all }: { claimed: readonly KubeObject[]; all: readonly KubeObject[] },
): Promise<string[]> {
  if (!claimed.some((one) => isDrainedFor(one as Machine, all))) return [] // TalosMachines alone are claims
  const nodes = await objectsIn(fleet, Node)
  const node = nodes.find(({ status }) => status?.nodeInfo?.systemUUID === uuid)
  const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready')
  if (!node || ready?.status !== 'True') return []
  const pods = await objectsIn(fleet, Pod)
  return (
    pods
      .filter(({ spec }) => spec?.nodeName === node.metadata.name)
      .filter(({ status }) => !ENDED.includes(status?.phase))
      .filter(({ metadata }) => !belongsToNode(metadata))
      // A cordon does not keep these away: they may have come back.
      .filter(({ spec }) => !spec?.tolerations?.some(({ key, effect }) => !key && !effect))
      .map(({ metadata }) => metadata.name)
  )
}

const belongsToNode = ({ annotations, ownerReferences = [] }: KubeObject['metadata']): boolean =>
  annotations?.['kubernetes.io/config.mirror'] !== undefined ||
  ownerReferences.some(({ kind }) => kind === 'DaemonSet')

function isDrainedFor({ spec }: Machine, all: readonly KubeObject[]): boolean {
  const pool = named(all, Worker.kind, spec?.workerRef?.name) as Worker | undefined // of that kind
  const name = pool?.spec?.controlPlaneRef?.name ?? spec?.controlPlaneRef?.name
  const controlPlane = named(all, ControlPlane.kind, name) as ControlPlane | undefined // of that kind
  if (!controlPlane || isGoingAsAWhole(controlPlane, all)) return false
  const drain = (pool ?? controlPlane).spec?.rolloutStrategy.drain
  return (drain?.afterTimeout ?? 'Stop') === 'Stop'
}

const named = (all: readonly KubeObject[], kind: string, name: string | undefined) =>
  all.find((one) => one.kind === kind && one.metadata.name === name)

/** Whether a control plane or a pool is deleted, or the cluster that it is a part of. */
export const isGoingAsAWhole = (part: KubeObject, all: readonly KubeObject[]): boolean =>
  isLeaving(part) || all.some((one) => owns(one, part))

const isLeaving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined

/** Whether it is the cluster of a part, and is being deleted. */
const owns = (one: KubeObject, { metadata }: KubeObject): boolean =>
  [Cluster.kind, KubernetesCluster.kind].some((kind) => kind === one.kind) &&
  isLeaving(one) &&
  (metadata.ownerReferences ?? []).some(({ uid }) => uid === one.metadata.uid)
