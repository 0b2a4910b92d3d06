import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Life } from './operator-dies.cases.ts'
import { isShapedReady, SHAPED, shaped } from './shaped-cluster.ts'
import { untilGone } from './verdicts.ts'
import type { World } from './world.ts'

const untilShaped = (machines: number) => (world: World) =>
  world.until('the cluster to be as it is shaped', () => isShapedReady(world, machines))

// In the spec, so that there is something that could slip out of it.
const TOKEN = { talosConfig: { machine: { token: 'abcdef.0123456789abcdef-in-the-spec' } } }

/** A cluster by its shape, for which a provider makes machines, grows, shrinks again, and is deleted. */
export const SHAPE: Life = {
  name: 'a shape',
  machines: 0,
  provided: [1, 2, 3, 4, 5],
  chapters: [
    {
      name: 'created',
      begin: (world) =>
        world.objects.apply(shaped(world, { controlPlanes: 1, workers: 1, ...TOKEN })),
      isOver: untilShaped(2),
      done: { bootstraps: 1, resets: 0, machinesMade: 2 },
    },
    {
      name: 'made larger',
      begin: (world) =>
        world.objects.apply(shaped(world, { controlPlanes: 3, workers: 2, ...TOKEN })),
      isOver: untilShaped(5),
      done: { bootstraps: 1, resets: 0, machinesMade: 5 },
    },
    {
      name: 'made smaller',
      begin: (world) =>
        world.objects.apply(shaped(world, { controlPlanes: 1, workers: 1, ...TOKEN })),
      isOver: untilShaped(2),
      done: { bootstraps: 1, resets: 3, machinesMade: 5 },
    },
    {
      name: 'deleted',
      begin: (world) => world.objects.remove(KubernetesCluster, SHAPED),
      isOver: untilGone,
      done: { bootstraps: 1, resets: 5, machinesMade: 5 },
    },
  ],
}
