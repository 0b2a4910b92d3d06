import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import type { KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { naturalOrder } from '#base/natural-order.ts'
import { clusterOwners } from '#engine/cluster-owners.ts'
import type { Parent } from '#engine/pool.ts'
import { type Expanded, withParts } from './diff-clusters.ts'
import { fieldsThatDiffer } from './diff-fields.ts'
import { type HeldObjects, idOf } from './diff-held.ts'
import { notesOn, objectDiff, poolDiff } from './diff-object.ts'
import { type DiffPorts, objectsOf } from './diff-ports.ts'
import type { ObjectDiff } from './diff-report.ts'

/** What is to be applied in one namespace. */
interface Given {
  readonly namespace: string
  /** TalosClusters and their parts, as the API would have them. */
  readonly accepted: readonly KubeObject[]
  /** What these may refer to, as it is written. */
  readonly further: readonly KubeObject[]
}

/** What would become of TalosClusters and their parts, and of those that hang on them, of each cluster together. */
export async function diffsIn(
  { namespace, accepted, further }: Given,
  ports: DiffPorts,
): Promise<ObjectDiff[]> {
  const live = await objectsOf(namespace, ports)
  const names = clustersOf(accepted, live)
  const before = withParts(live, names)
  const after = withParts(live.with([...accepted, ...further]), names)
  const views = { before: before.objects, after: after.objects }
  const pools = touchedIn(views, { accepted, names }).map(async ([kind, name]) => {
    const both = { before: before.objects.get(kind, name), after: after.objects.get(kind, name) }
    return withOwner(await poolDiff(both, views, ports), { accepted, after: both.after })
  })
  const clusters = accepted
    .filter(({ kind }) => kind === Cluster.kind)
    .map(({ metadata }) => clusterDiff(metadata.name, { before, after }))
  return [...clusters, ...(await Promise.all(pools))].sort(inTurn)
}

/** The TalosClusters that matter: those that are applied, and those that make what is applied. */
function clustersOf(accepted: readonly KubeObject[], live: HeldObjects): string[] {
  const own = accepted
    .filter(({ kind }) => kind === Cluster.kind)
    .map(({ metadata }) => metadata.name)
  const owners = accepted.flatMap(({ metadata }) => clusterOwners(metadata))
  return [...new Set([...own, ...owners.filter((name) => live.get(Cluster, name))])]
}

type PoolKind = typeof ControlPlane | typeof Worker

/** The control planes and pools that something may become of: also those that join one of them. */
function touchedIn(
  { before, after }: { before: HeldObjects; after: HeldObjects },
  { accepted, names }: { accepted: readonly KubeObject[]; names: readonly string[] },
): [PoolKind, string][] {
  const given = new Set(accepted.map(idOf))
  const isTouched = (object: Parent) =>
    given.has(idOf(object)) || clusterOwners(object.metadata).some((name) => names.includes(name))
  const namesOf = (kind: PoolKind, isWanted: (object: Parent) => boolean): string[] => [
    ...new Set(
      [...before.list<PoolKind>(kind), ...after.list<PoolKind>(kind)]
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

function clusterDiff(
  name: string,
  { before, after }: { before: Expanded; after: Expanded },
): ObjectDiff {
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

/** Says of what a TalosCluster makes that this changes nothing of it for long. */
function withOwner(
  diff: ObjectDiff,
  { accepted, after }: { accepted: readonly KubeObject[]; after: KubeObject | undefined },
): ObjectDiff {
  const given = accepted.find((object) => idOf(object) === idOf({ ...diff, metadata: diff }))
  if (!given || !after || fieldsThatDiffer(given, after).length === 0) return diff
  const [owner] = clusterOwners(after.metadata)
  const message = `TalosCluster ${owner} makes it, and undoes what this changes of it: change the TalosCluster`
  return { ...diff, notes: [...diff.notes, { reason: 'MadeByCluster', message }] }
}

const RANKS = [Cluster, ControlPlane, Worker].map(({ kind }) => kind)

/** Each cluster by itself; in it the control plane, then the pools. */
const inTurn = (one: ObjectDiff, other: ObjectDiff): number =>
  naturalOrder(one.cluster, other.cluster) ||
  RANKS.indexOf(one.kind) - RANKS.indexOf(other.kind) ||
  naturalOrder(one.name, other.name)
