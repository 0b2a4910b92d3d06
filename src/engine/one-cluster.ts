import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { Kind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import type { Scope } from '#runtime/scope.ts'
import { ownerNamesOf } from './cluster-owners.ts'

type Caches = Parameters<Scope>[2]

/**
 * One cluster and no other: a control plane, the TalosCluster or KubernetesCluster that it is a part of, the pools that join it, and their
 * machines. What the caches do not show to belong to it does not.
 */
export const oneCluster =
  ({ namespace, name }: { namespace: string; name: string }): Scope =>
  (kind, key, watches) => {
    const own = `${namespace}/${name}`
    if (kind === ControlPlane) return key === own
    if (!key.startsWith(`${namespace}/`)) return false
    return namedBy(kind, key, watches) === name || isWhole(kind, key, { own, watches })
  }

/** The control plane that a resource says it belongs to, by itself or by its pool. */
function namedBy(kind: Kind, key: string, watches: Caches): string | undefined {
  if (kind === Worker) return watches.get(Worker, key)?.spec?.controlPlaneRef?.name
  if (kind === Cluster) return watches.get(Cluster, key)?.spec?.controlPlaneRef?.name
  if (kind !== Machine) return undefined
  const { workerRef, controlPlaneRef } = watches.get(Machine, key)?.spec ?? {}
  const [namespace] = key.split('/')
  return workerRef
    ? namedBy(Worker, `${namespace}/${workerRef.name}`, watches)
    : controlPlaneRef?.name
}

/** Whether a control plane is a part of this cluster. */
function isWhole(
  kind: Kind,
  key: string,
  { own, watches }: { own: string; watches: Caches },
): boolean {
  if (kind !== Cluster && kind !== KubernetesCluster) return false
  const { metadata } = watches.get(ControlPlane, own) ?? {}
  const [, name = ''] = key.split('/')
  return metadata !== undefined && ownerNamesOf(kind, metadata).includes(name)
}
