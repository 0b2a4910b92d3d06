import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { strangeShape } from '#controllers/kubernetes-cluster/foreign-shape.ts'
import { isOwn } from '#controllers/kubernetes-cluster/own.ts'
import { clusterNameOf } from '#controllers/kubernetes-cluster/shape.ts'
import { IDLE, notesOn, objectDiff } from './diff-object.ts'
import type { MachineDiff, ObjectDiff, Said } from './diff-report.ts'
import type { ViewsOf } from './diff-view.ts'

/** What becomes of a cluster by its shape itself. */
export function shapeDiff(name: string, views: ViewsOf): ObjectDiff {
  const { before, after } = clustersIn(name, views)
  const found = views.after.found.get(name)
  const { hindrances = [], notes = [] } = found ?? {}
  const changed = machineDiffs(name, views).filter(({ change }) => change === 'changed')
  return {
    ...objectDiff({ before, after }, controlPlaneOf(name, views)),
    ...(found?.problem && { problem: found.problem }),
    ...(hindrances.length > 0 && { hindrances }),
    notes: [
      ...(after ? [...notesOn(after, views.after.objects), ...strangenessOf(after)] : []),
      ...notes,
      ...leftToProviders(changed.map((one) => one.name)),
    ],
    machines: [],
  }
}

const clustersIn = (name: string, { before, after }: ViewsOf) => ({
  before: before.objects.get(KubernetesCluster, name),
  after: after.objects.get(KubernetesCluster, name),
})

function controlPlaneOf(name: string, views: ViewsOf): string {
  const { before, after } = clustersIn(name, views)
  const cluster = after ?? before
  return views.after.found.get(name)?.controlPlane ?? (cluster ? clusterNameOf(cluster) : name)
}

function strangenessOf(cluster: KubernetesCluster): Said[] {
  if (strangeShape(cluster).length === 0) return []
  const message = `its spec is that of another project's KubernetesCluster: ${IDLE}`
  return [{ reason: 'ForeignShape', message }]
}

function leftToProviders(names: readonly string[]): Said[] {
  if (names.length === 0) return []
  const message = `what changes of Machines is written there, and what a provider makes of it is its own matter: ${names.join(', ')}`
  return [{ reason: 'LeftToProvider', message }]
}

/** Which Machines a cluster would have made, changed or removed. */
export function machineDiffs(name: string, views: ViewsOf): ObjectDiff[] {
  const clusters = clustersIn(name, views)
  const cluster = clusters.after ?? clusters.before
  const [before, after] = [views.before, views.after].map(({ objects }) =>
    objects.list(ProvidedMachine).filter((machine) => cluster && isOwn(cluster, machine)),
  )
  const byName = (machines: readonly KubeObject[] = []) =>
    new Map(machines.map((machine) => [machine.metadata.name, machine]))
  const [old, next] = [byName(before), byName(after)]
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((one) => ({
      ...objectDiff({ before: old.get(one), after: next.get(one) }, controlPlaneOf(name, views)),
      ...{ notes: [], machines: [] },
    }))
    .filter(({ change }) => change !== 'none')
}

/** Control planes and pools, with what is to be said of them because they are parts of clusters by their shape. */
export function partsOfShapes(pools: readonly ObjectDiff[], views: ViewsOf): ObjectDiff[] {
  const { standIns, wholes } = views
  const own = wholes.shapes.map((name) => controlPlaneOf(name, views))
  const placed = pools.map((pool) => ({
    ...pool,
    machines: pool.machines.map((machine) =>
      standIns.has(machine.address) ? withoutAddress(machine) : machine,
    ),
  }))
  return placed.map((pool) =>
    own.includes(pool.cluster)
      ? { ...pool, notes: [...pool.notes, ...turnsOf(pool, placed)] }
      : pool,
  )
}

const withoutAddress = ({ address: _, ...machine }: MachineDiff): MachineDiff => machine

/** What a control plane waits for, besides what it says itself. */
function turnsOf(pool: ObjectDiff, all: readonly ObjectDiff[]): Said[] {
  if (pool.kind !== ControlPlane.kind) return []
  const isUnplaced = pool.machines.some(({ address }) => address === undefined)
  const workers = all.filter((one) => one.kind === Worker.kind && one.cluster === pool.cluster)
  return [
    ...(pool.change === 'created' && isUnplaced ? [BEGINS_TOGETHER] : []),
    ...(isLosing(pool) && workers.some(isLosing) ? [WORKERS_FIRST] : []),
  ]
}

const isLosing = ({ machines }: ObjectDiff): boolean => machines.some((one) => one.do === 'remove')

const BEGINS_TOGETHER: Said = {
  reason: 'WaitingForAddresses',
  message: 'it is made when all of its Machines have addresses',
}

const WORKERS_FIRST: Said = {
  reason: 'WorkersFirst',
  message: 'those of its machines that go are let go after the workers that go',
}
