import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { ConfigMap, Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { TURNS } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { onAbort } from '#base/on-abort.ts'
import { wholesOf } from '#engine/cluster-owners.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { configRefNames } from '#engine/config-ref.ts'
import { LongCalls } from '#engine/long-calls.ts'
import { isLeaving } from '#engine/removal.ts'
import { keyOf } from '#kube/cache.ts'
import { type Controller, defineController } from '#runtime/controller.ts'
import type { DecidesBy } from '#runtime/definition.ts'
import type { CacheReader } from '#runtime/reader.ts'
import { acts } from './acts.ts'
import { ClusterMembers } from './cluster-members.ts'
import { ConfigChanges } from './config-change.ts'
import { ConfigFingerprints } from './config-fingerprints.ts'
import { EtcdLists } from './etcd-lists.ts'
import { foundBy } from './found-by.ts'
import { observe } from './observe.ts'
import { parentOf } from './parent.ts'
import { plan } from './plan.ts'
import { SentConfigs } from './sent-configs.ts'
import { teardown } from './teardown.ts'
import { tell } from './tell.ts'
import type { Step, World } from './world.ts'

// The only controller that looks at machines. It configures those that wait, says what it sees of the
// others, and wipes those that leave. It decides nothing that concerns more than one machine: when a
// cluster begins and which machine goes first is for the control plane and the pool.
export function machine(
  ports: ClusterPorts,
  by: DecidesBy<typeof Machine, World, Step> = {},
): Controller {
  const members = new ClusterMembers()
  const etcdLists = new EtcdLists()
  let lookAgain: (key: string) => void = () => undefined
  const sent = new SentConfigs(ports)
  const [fingerprints, changes] = [new ConfigFingerprints(), new ConfigChanges()]
  const long = new LongCalls(ports)
  const look = observe({ ...ports, sent, fingerprints, changes, long })
  return defineController<typeof Machine, World, Step>({
    kind: Machine,
    // Most of a pass is waiting for the machine, and one that does not answer keeps nobody else waiting.
    concurrency: 256,
    reads: [
      {
        kind: ControlPlane,
        namedBy: ({ spec }) => namesIn(spec?.controlPlaneRef?.name),
        // It is made of what is known of the machines, and would wake all of them for each.
        statusFields: [],
        // A machine whose turn it is is told so itself.
        quietAnnotations: [TURNS],
        wakes: machinesOfPools,
      },
      {
        kind: Worker,
        namedBy: ({ spec }) => namesIn(spec?.workerRef?.name),
        statusFields: [],
        quietAnnotations: [TURNS],
      },
      Cluster,
      KubernetesCluster,
      { kind: Secret, from: 'api' },
      { kind: ConfigMap, from: 'api', namedBy: ({ spec }) => configRefNames(spec) },
    ],
    foundBy,
    // Objects of our own, asked of the API before something is done that cannot be undone: it wakes nobody.
    readsAny: () => [],
    writes: [{ kind: Machine, verbs: ['patch'] }],
    modeFrom: ancestorsOf,
    wokenBy: (wake, signal) => {
      lookAgain = wake
      long.onEnd = wake
      long.during(signal)
      const stop = ports.nodes.onChange((cluster) => members.of(cluster).forEach(wake))
      onAbort(signal, stop)
    },
    observe: async (resource, read) => {
      const world = await look(resource, read)
      const { parent, seen } = world
      members.note(resource, parent)
      // What nobody waits for any more ends, as far as it has not reached the machine.
      if (isLeaving(resource)) long.forget(keyOf(resource))
      for (const key of etcdLists.note(resource, world)) lookAgain(key)
      // Where one is alive, the API of the cluster may be so, too.
      const isAlive = seen.is === 'member' || seen.is === 'waiting'
      if (isAlive && parent.is === 'there') ports.nodes.hear(keyOf(parent.controlPlane))
      return world
    },
    plan,
    teardown,
    act: acts({ ...ports, sent, long }),
    tell,
    // As far as it is known without a look: a pool mostly has the name of its cluster.
    clusterOf: ({ metadata, spec }) =>
      spec?.controlPlaneRef?.name ?? spec?.workerRef?.name ?? metadata.name,
    ...by,
  })
}

/** What it belongs to, and what that belongs to: each of them can be told to leave everything alone. */
function ancestorsOf(resource: Machine, read: CacheReader): (KubeObject | undefined)[] {
  const parent = parentOf(resource, read)
  if (parent.is !== 'there') return []
  const own = parent.worker ?? parent.controlPlane
  return [own, ...wholesOf(own.metadata, read)]
}

/** Those of the pools that join a control plane, which they do not name themselves. */
const machinesOfPools = ({ metadata }: KubeObject, read: CacheReader): string[] =>
  read
    .list(Worker)
    .filter(({ spec }) => spec?.controlPlaneRef?.name === metadata.name)
    .flatMap((worker) => read.list(Machine, { ownerUid: worker.metadata.uid ?? '' }))
    .map((machine) => machine.metadata.name)

const namesIn = (name: string | undefined): string[] => (name ? [name] : [])
