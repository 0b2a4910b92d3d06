import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { leavingRules } from '#controllers/kubernetes-cluster/teardown.ts'
import { controllersWith } from '#operator/controllers.ts'
import { believing } from './mutants-lies.ts'
import { type Life, type Mutant, soon } from './mutants-life.ts'
import { apply, leavingBy, SIX, seeing, untilMade } from './mutants-of-a-shape.ts'
import { without } from './mutants-rules.ts'
import { isShapedReady, SHAPED } from './shaped-cluster.ts'
import type { World } from './world.ts'

const LEAVING = [Machine, 'one-pool-one-pool-1'] as const

const isGoing = async ({ objects }: World) =>
  (await objects.find(...LEAVING))?.metadata.deletionTimestamp !== undefined

/** Starts an operator that is shown no Machine: those of the first list, when there was none. The answer shows it all. */
function startBlind(world: World): () => void {
  const which = { of: ProvidedMachine }
  const { apiFaults } = world
  const ends = [apiFaults.serveOldLists(which), apiFaults.holdEvents(which)]
  world.startOperator()
  return () => {
    for (const end of ends) end()
  }
}

const believesCaches: Mutant['controllers'] = (ports) =>
  controllersWith(ports).map((one) => believing(one, ProvidedMachine))

/** As one who sees what was wanted once: the spec was set back, and the API does not say so for a while. */
export const takenBack: Life = {
  title: 'a worker that was to go is wanted again, and the operator does not see that yet',
  ...{ machines: 0, provided: SIX, hasApiFaults: true },
  live: async (world) => {
    await untilMade(world, 1, 2)
    const heal = world.fault('unreachable', 3)
    await apply(world, 1, 1)
    await soon(world, () => isGoing(world))
    const see = world.apiFaults.holdEvents({ of: KubernetesCluster })
    await apply(world, 1, 2)
    heal()
    await soon(world, async () => !(await isGoing(world)))
    await world.pass(2)
    see()
    await soon(world, () => isShapedReady(world, 3))
    await world.pass(1)
  },
  ...{ bootstraps: 1, resets: 1 },
  ends: ['KubernetesCluster one: Running', 'TalosMachine one-pool-one-pool-1'],
  mutants: [
    {
      title: 'goes by the spec that it sees',
      controllers: seeing(() => ({ isOld: false })),
      said: 'its cluster wants it',
    },
  ],
}

export const unseen: Life = {
  title: 'an operator starts that does not see the Machines of a cluster by its shape',
  ...{ machines: 0, provided: SIX, hasApiFaults: true },
  live: async (world) => {
    await untilMade(world, 1, 2)
    await world.stopOperator()
    const see = startBlind(world)
    await world.pass(5)
    see()
    await soon(world, () => isShapedReady(world, 3))
    await world.pass(1)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['KubernetesCluster one: Running', 'TalosMachine one-pool-one-pool-1'],
  mutants: [
    {
      title: 'takes them for gone',
      controllers: believesCaches,
      said: 'its cluster wants one-pool-1',
    },
  ],
}

export const unseenLeaving: Life = {
  title:
    'an operator starts that does not see the Machine of a worker which is to go and does not answer',
  ...{ machines: 0, provided: SIX, hasApiFaults: true },
  live: async (world) => {
    await untilMade(world, 1, 2)
    const heal = world.fault('unreachable', 3)
    await apply(world, 1, 1)
    await soon(world, () => isGoing(world))
    await world.stopOperator()
    const see = startBlind(world)
    await world.pass(5)
    heal()
    see()
    await soon(world, () => isShapedReady(world, 2))
    await world.pass(1)
  },
  ...{ bootstraps: 1, resets: 1 },
  ends: ['KubernetesCluster one: Running'],
  mutants: [
    {
      title: 'takes it for gone, and lets go of what nobody could reset',
      controllers: seeing(({ talos }) => ({
        gone: talos.machines
          .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
          .map(({ metadata }) => metadata.name),
      })),
      said: '0 resets instead of 1',
    },
  ],
}

export const unseenMachines: Life = {
  title:
    'a cluster by its shape is deleted while an operator starts that does not see its Machines',
  ...{ machines: 0, provided: SIX, hasApiFaults: true },
  live: async (world) => {
    await untilMade(world, 1, 1)
    await world.stopOperator()
    await world.objects.remove(KubernetesCluster, SHAPED)
    const see = startBlind(world)
    await world.pass(5)
    see()
    await soon(world, async () => !(await world.objects.find(KubernetesCluster, SHAPED)))
    await world.pass(1)
  },
  ...{ bootstraps: 1, resets: 2 },
  ends: ['Secret one-talos-secrets'],
  mutants: [
    {
      title: 'believes that there are none',
      controllers: leavingBy(without(leavingRules, 'unseenFirst')),
      said: 'Machine one-cp-0 is still there',
    },
  ],
}
