import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { ConfigMap, Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { TURNS } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { onAbort } from '#base/on-abort.ts'
import { clusterOwners, ownerNamesOf, wholesOf } from '#engine/cluster-owners.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { configRefNames } from '#engine/config-ref.ts'
import { referencedObjects } from '#engine/pool-entries.ts'
import { type Controller, defineController } from '#runtime/controller.ts'
import type { DecidesBy } from '#runtime/definition.ts'
import type { CacheReader } from '#runtime/reader.ts'
import { acts } from './acts.ts'
import { observe } from './observe.ts'
import { plan } from './plan.ts'
import { teardown } from './teardown.ts'
import { tell } from './tell.ts'
import type { Step, World } from './world.ts'

// Makes the cluster's secrets, the objects of its machines, begins it once, takes machines out of its etcd,
// and hands out what users need to reach it. What it decides by is in the machines' statuses; it asks them itself only before a deed.
export const controlPlane = (
  ports: ClusterPorts,
  by: DecidesBy<typeof ControlPlane, World, Step> = {},
): Controller =>
  defineController<typeof ControlPlane, World, Step>({
    kind: ControlPlane,
    reads: [
      // What a worker waits for may be for this to decide: nothing else of it is.
      { kind: Machine, wakes: controlPlaneOfWorker, wakingStatus: ['pending'] },
      { kind: Worker, wakes: controlPlaneOfPool, quietAnnotations: [TURNS] },
      { kind: Cluster, namedBy: ({ metadata }) => clusterOwners(metadata), statusFields: [] },
      {
        kind: KubernetesCluster,
        namedBy: ({ metadata }) => ownerNamesOf(KubernetesCluster, metadata),
        statusFields: [],
      },
      { kind: Secret, from: 'api' },
      { kind: ConfigMap, from: 'api', namedBy: ({ spec }) => configRefNames(spec) },
    ],
    readsAny: referencedObjects,
    writes: [
      Machine,
      { kind: Secret, verbs: ['create', 'patch'] },
      { kind: ControlPlane, verbs: ['patch'] },
    ],
    modeFrom: ({ metadata }, read) => wholesOf(metadata, read),
    wokenBy: (wake, signal) => onAbort(signal, ports.nodes.onChange(wake)),
    observe: observe(ports),
    plan,
    teardown,
    act: acts(ports),
    tell,
    ...by,
  })

/** Whose cluster a machine of a pool is of. Its own machines it has made, and hears of anyway. */
const controlPlaneOfWorker = ({ metadata }: KubeObject, read: CacheReader): string[] => {
  const pool = read.get(Machine, metadata.name)?.spec?.workerRef?.name
  return pool === undefined ? [] : controlPlaneOf(pool, read)
}

const controlPlaneOfPool = ({ metadata }: KubeObject, read: CacheReader): string[] =>
  controlPlaneOf(metadata.name, read)

const controlPlaneOf = (pool: string, read: CacheReader): string[] => {
  const name = read.get(Worker, pool)?.spec?.controlPlaneRef?.name
  return name === undefined ? [] : [name]
}
