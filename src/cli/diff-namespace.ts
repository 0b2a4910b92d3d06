import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { naturalOrder } from '#base/natural-order.ts'
import { clusterOwners, ownerNamesOf } from '#engine/cluster-owners.ts'
import type { Parent } from '#engine/pool.ts'
import { fieldsThatDiffer } from './diff-fields.ts'
import { idOf } from './diff-held.ts'
import { notesOn, objectDiff, poolDiff } from './diff-object.ts'
import { type DiffPorts, objectsOf } from './diff-ports.ts'
import { isOrdered, type ObjectDiff } from './diff-report.ts'
import { machineDiffs, partsOfShapes, shapeDiff } from './diff-shape-object.ts'
import { withStandstills } from './diff-standstill.ts'
import { type Given, type View, type ViewsOf, viewsOf } from './diff-view.ts'

/** What would become of clusters and their parts, and of those that hang on them, of each cluster together. */
export async function diffsIn(given: Given, ports: DiffPorts): Promise<ObjectDiff[]> {
  const live = await objectsOf(given.namespace, ports)
  const views = await viewsOf(given, live, ports)
  const { accepted } = given
  const objects = { before: views.before.objects, after: views.after.objects }
  const looked = touchedIn(views, accepted).map(async ([kind, name]) => {
    const both = { before: objects.before.get(kind, name), after: objects.after.get(kind, name) }
    const { diff, standing } = await poolDiff(both, objects, ports)
    return { diff: withOwner(diff, { accepted, after: both.after }), standing }
  })
  const pools = withStandstills(await Promise.all(looked), objects.before)
  const namesOf = ({ kind: wanted }: { kind: string }) =>
    accepted.filter(({ kind }) => kind === wanted).map(({ metadata }) => metadata.name)
  return [
    ...namesOf(Cluster).map((name) => clusterDiff(name, views)),
    ...namesOf(KubernetesCluster).map((name) => shapeDiff(name, views)),
    ...views.wholes.shapes.flatMap((name) => machineDiffs(name, views)),
    ...partsOfShapes(pools, views),
  ].sort(inTurn)
}

type PoolKind = typeof ControlPlane | typeof Worker

/** The control planes and pools that something may become of: also those that join one of them. */
function touchedIn(
  { before, after, wholes }: ViewsOf,
  accepted: readonly KubeObject[],
): [PoolKind, string][] {
  const given = new Set(accepted.map(idOf))
  const isTouched = (object: Parent) =>
    given.has(idOf(object)) ||
    clusterOwners(object.metadata).some((name) => wholes.clusters.includes(name)) ||
    ownerNamesOf(KubernetesCluster, object.metadata).some((name) => wholes.shapes.includes(name))
  const namesOf = (kind: PoolKind, isWanted: (object: Parent) => boolean): string[] => [
    ...new Set(
      [...before.objects.list<PoolKind>(kind), ...after.objects.list<PoolKind>(kind)]
        .filter(isWanted)
        .map(({ metadata }) => metadata.name),
    ),
  ]
  const controlPlanes = namesOf(ControlPlane, isTouched)
  const workers = namesOf(
    Worker,
    (object) => isTouched(object) || controlPlanes.includes(joinedBy(object)),
  )
  return [
    ...controlPlanes.map((name): [PoolKind, string] => [ControlPlane, name]),
    ...workers.map((name): [PoolKind, string] => [Worker, name]),
  ]
}

const joinedBy = ({ spec }: Parent): string =>
  (spec && 'controlPlaneRef' in spec ? spec.controlPlaneRef?.name : undefined) ?? ''

function clusterDiff(name: string, { before, after }: { before: View; after: View }): ObjectDiff {
  const both = {
    before: before.objects.get(Cluster, name),
    after: after.objects.get(Cluster, name),
  }
  const problem = after.problems.get(name)
  return {
    ...objectDiff(both, after.joined.get(name) ?? name),
    ...{ ...(problem && { problem }), machines: [] },
    notes: both.after ? notesOn(both.after, after.objects) : [],
  }
}

/** Says of what a cluster makes that this changes nothing of it for long. */
function withOwner(
  diff: ObjectDiff,
  { accepted, after }: { accepted: readonly KubeObject[]; after: KubeObject | undefined },
): ObjectDiff {
  const given = accepted.find((object) => idOf(object) === idOf({ ...diff, metadata: diff }))
  if (!given || !after || fieldsThatDiffer(given, after).length === 0) return diff
  const [owner] = [Cluster, KubernetesCluster].flatMap((kind) =>
    ownerNamesOf(kind, after.metadata).map((name) => ({ kind: kind.kind, name })),
  )
  const message = `${owner?.kind} ${owner?.name} makes it, and undoes what this changes of it: change the ${owner?.kind}`
  return { ...diff, notes: [...diff.notes, { reason: 'MadeByCluster', message }] }
}

const RANKS = [Cluster, KubernetesCluster, ProvidedMachine, ControlPlane, Worker].map(
  ({ kind }) => kind,
)

/** A Machine goes when the machine is let go, which comes last. */
const rankOf = (diff: ObjectDiff): number =>
  isOrdered(diff) && diff.change === 'removed' ? RANKS.length : RANKS.indexOf(diff.kind)

/** Each cluster by itself; in it the control plane, then the pools. */
const inTurn = (one: ObjectDiff, other: ObjectDiff): number =>
  naturalOrder(one.cluster, other.cluster) ||
  rankOf(one) - rankOf(other) ||
  naturalOrder(one.name, other.name)
