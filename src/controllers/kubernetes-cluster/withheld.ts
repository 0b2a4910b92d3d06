import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type Failure, no, type Plan, yes } from '#runtime/plan.ts'
import { statusOf } from './readiness.ts'
import type { Step, World } from './world.ts'

/** What is wrong where another cluster goes by the name. */
export const nameIsTaken = (namesake: string): Failure => ({
  code: 'OwnerReferenceError',
  message: `KubernetesCluster ${namesake} of this namespace has the clusterName already, which Machines, keys and files are called by: nothing is made of this one. Delete one of the two, and create it anew with another clusterName`,
})

/** What follows while it is so: nothing is made that could be in the way of the other. */
export function withheld(
  world: World,
  { namesake, later }: { namesake: string; later: Date },
): Plan<Step, typeof KubernetesCluster> {
  const failure = nameIsTaken(namesake)
  const { message } = failure
  return {
    steps: [],
    status: statusOf(world, 0),
    conditions: {
      TopologyValid: yes('ValidationSucceeded', 'the spec makes sense'),
      MachinesCreated: no('CreationFailed', message),
      FilesGenerated: no('GenerationFailed', message),
      Ready: no('OwnerReferenceFailed', message),
    },
    failure,
    wakeAt: later,
  }
}
