import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { ownerNamesOf } from '#engine/cluster-owners.ts'
import { type Controller, defineController } from '#runtime/controller.ts'
import type { DecidesBy } from '#runtime/definition.ts'
import type { CacheReader } from '#runtime/reader.ts'
import { acts } from './acts.ts'
import { CreationTries } from './creation-tries.ts'
import { strangeShape } from './foreign-shape.ts'
import { ADDRESS_LISTS } from './machine-address.ts'
import { foundBy, observe } from './observe.ts'
import { planEvery } from './plan.ts'
import type { ProvidedPorts } from './ports.ts'
import { clusterNameOf } from './shape.ts'
import { teardownEvery } from './teardown.ts'
import { tell } from './tell.ts'
import { whenFailed } from './when-failed.ts'
import type { Step, World } from './world.ts'

/** What is looked at of what a provider says. A field that is missing here is seen when the next one changes, or late. */
const WHAT_PROVIDERS_TELL = [
  ...(['phase', 'message', 'failureReason', 'failureMessage', 'conditions'] as const),
  ...ADDRESS_LISTS,
] satisfies (keyof NonNullable<ProvidedMachine['status']>)[]

// Makes the Machines of a cluster by its shape, writes their manifests down, and hands the Machines that have addresses
// to a control plane and pools of workers of its own. It talks to no machine and to no provider.
export const kubernetesCluster = (
  ports: ProvidedPorts,
  by: DecidesBy<typeof KubernetesCluster, World, Step> = {},
): Controller => {
  const tries = new CreationTries()
  const { resyncMs } = ports.provided
  return defineController<typeof KubernetesCluster, World, Step>({
    kind: KubernetesCluster,
    reads: [
      // A provider may say every few seconds that it looked: that is no reason for a pass.
      { kind: ProvidedMachine, statusFields: WHAT_PROVIDERS_TELL },
      ControlPlane,
      Worker,
      { kind: Machine, wakes: clustersOf },
      { kind: Secret, from: 'api' },
    ],
    // Objects of our own, asked of the API before anything is made or taken away: it wakes nobody.
    readsAny: () => [],
    foundBy,
    writes: [
      ProvidedMachine,
      ControlPlane,
      Worker,
      { kind: Machine, verbs: ['patch'] },
      { kind: Secret, verbs: ['create'] },
    ],
    modeFrom: (cluster) => strangeShape(cluster),
    observe: observe(ports, tries),
    plan: planEvery(resyncMs),
    teardown: teardownEvery(resyncMs),
    act: acts(ports, tries),
    // Clusters run as well without their files.
    asides: ['writeFiles', 'removeFiles'],
    whenFailed: (failure, { resource, world }) => {
      const made = world ? tries.madeSince(world) : []
      return whenFailed(failure, { resource, world, made, tries: tries.of(resource) })
    },
    updatedField: 'lastUpdated',
    tell,
    clusterOf: clusterNameOf,
    ...by,
  })
}

/** The clusters that the part belongs to which a machine of the engine is of. */
function clustersOf(machine: KubeObject, read: CacheReader): string[] {
  const named = (kind: string) =>
    (machine.metadata.ownerReferences ?? []).filter((owner) => owner.kind === kind)
  const parts = [
    ...named(ControlPlane.kind).map(({ name }) => read.get(ControlPlane, name)),
    ...named(Worker.kind).map(({ name }) => read.get(Worker, name)),
  ]
  return parts.flatMap((part) => (part ? ownerNamesOf(KubernetesCluster, part.metadata) : []))
}
