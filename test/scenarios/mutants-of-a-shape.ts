import { planEvery } from '#controllers/kubernetes-cluster/plan.ts'
import { type leavingRules, teardownEvery } from '#controllers/kubernetes-cluster/teardown.ts'
import type { World as Seen } from '#controllers/kubernetes-cluster/world.ts'
import { controllersWith } from '#operator/controllers.ts'
import { unconditional } from './mutants-lies.ts'
import { type Mutant, soon } from './mutants-life.ts'
import { isShapedReady, shaped } from './shaped-cluster.ts'
import type { World } from './world.ts'

// What the lives of clusters by their shape and their mutants are made of.

export const SIX = [1, 2, 3, 4, 5, 6]

/** An operator whose plan for clusters by their shape is shown another world than the one that was seen. */
export const seeing =
  (view: (seen: Seen) => Partial<Seen>): Mutant['controllers'] =>
  (ports) => {
    const plan = planEvery(ports.provided.resyncMs)
    return controllersWith(ports, {
      kubernetesCluster: {
        plan: (cluster, seen, now) => plan(cluster, { ...seen, ...view(seen) }, now),
      },
    })
  }

/** The same of what is done when they go. */
export const leavingSeeing =
  (view: (seen: Seen) => Partial<Seen>): Mutant['controllers'] =>
  (ports) => {
    const teardown = teardownEvery(ports.provided.resyncMs)
    return controllersWith(ports, {
      kubernetesCluster: {
        teardown: (cluster, seen, now) => teardown(cluster, { ...seen, ...view(seen) }, now),
      },
    })
  }

/** The same operator, which writes over whatever is there: what it should have seen, the API would refuse otherwise. */
export const writingOver =
  (controllers: Mutant['controllers']): Mutant['controllers'] =>
  (ports, world) =>
    controllers(ports, world).map(unconditional)

export const apply = (world: World, controlPlanes: number, workers: number) =>
  world.objects.apply(shaped(world, { controlPlanes, workers }))

export const untilMade = async (world: World, controlPlanes: number, workers: number) => {
  await apply(world, controlPlanes, workers)
  await soon(world, () => isShapedReady(world, controlPlanes + workers))
  await world.pass(1)
}

export const leavingBy =
  (rules: typeof leavingRules): Mutant['controllers'] =>
  (ports) =>
    controllersWith(ports, {
      kubernetesCluster: { teardown: teardownEvery(ports.provided.resyncMs, rules) },
    })
