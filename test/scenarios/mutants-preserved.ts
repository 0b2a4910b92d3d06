import { Cluster } from '#api/cluster.ts'
import type { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import { teardown as clusterTeardown } from '#controllers/cluster/plan.ts'
import { teardown as controlPlaneTeardown } from '#controllers/control-plane/teardown.ts'
import { leavingRules, teardownBy } from '#controllers/machine/teardown.ts'
import { teardown as workerTeardown } from '#controllers/worker/plan.ts'
import { controllersWith } from '#operator/controllers.ts'
import { gone, type Life, settled, soon } from './mutants-life.ts'
import { without } from './mutants-rules.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

// That machines are to be kept is said of a cluster after they were made, and at the last moment.

const POLICY = { deletionPolicy: 'preserve' }

const keep = (world: World) =>
  world.objects.patch(Cluster, 'one', { spec: { controlPlane: POLICY, worker: POLICY } })

async function aCluster(world: World): Promise<void> {
  await world.objects.apply(world.cluster('one', [1], [2]))
  await settled(world, 'one')
}

/** Until a machine was told to go, and does not answer. */
async function deletedInVain(world: World, number: number): Promise<void> {
  await world.objects.remove(Cluster, 'one')
  const silent = [Machine, `one-${world.address(number)}`] as const
  await soon(
    world,
    async () => (await conditionOf(world, silent, 'Deleting'))?.reason === 'ResetBlocked',
  )
}

/** What says nothing of what becomes of its machines, as far as its own teardown goes. */
const silent = <Part extends ControlPlane | Worker>(part: Part): Part => ({
  ...part,
  ...(part.spec && { spec: { ...part.spec, deletionPolicy: 'reset' } }),
})

const mute = {
  cluster: {
    teardown: (({ spec: _, ...cluster }, ...seen) =>
      clusterTeardown(cluster, ...seen)) satisfies typeof clusterTeardown,
  },
  controlPlane: {
    teardown: ((controlPlane, ...seen) =>
      controlPlaneTeardown(silent(controlPlane), ...seen)) satisfies typeof controlPlaneTeardown,
  },
  worker: {
    teardown: ((worker, ...seen) =>
      workerTeardown(silent(worker), ...seen)) satisfies typeof workerTeardown,
  },
}
const deaf = { teardown: teardownBy(without(leavingRules, 'keptFromAbove')) }

const ENDS = {
  ...{ bootstraps: 1, resets: 0 },
  ends: ['.1: running', '.2: running'],
}

export const keptWhileAway: Life = {
  title: 'a cluster is to keep its machines, and is deleted, while no operator runs',
  machines: 2,
  live: async (world) => {
    await aCluster(world)
    await world.stopOperator()
    await keep(world)
    await world.objects.remove(Cluster, 'one')
    world.startOperator()
    await gone(world)
    await world.pass(1)
  },
  ...ENDS,
  mutants: [
    {
      title: 'goes by what machines themselves say, and tells them nothing',
      controllers: (ports) => controllersWith(ports, { cluster: mute.cluster, machine: deaf }),
      said: '2 resets instead of 0',
    },
  ],
}

export const keptUnseen: Life = {
  title: 'a cluster that goes is to keep its machines, and the operator does not see that yet',
  ...{ machines: 2, hasApiFaults: true },
  live: async (world) => {
    await aCluster(world)
    const heal = world.fault('unreachable', 2)
    await deletedInVain(world, 2)
    const see = world.apiFaults.holdEvents()
    await keep(world)
    heal()
    await world.pass(2)
    see()
    await gone(world)
    await world.pass(1)
  },
  ...ENDS,
  mutants: [
    {
      title: 'asks nobody above a machine before it is wiped',
      controllers: (ports) => controllersWith(ports, { machine: deaf }),
      said: '1 resets instead of 0',
    },
  ],
}

export const keptInSilence: Life = {
  title: 'a cluster that goes is to keep its machines, of which a worker does not answer',
  machines: 2,
  live: async (world) => {
    await aCluster(world)
    world.fault('unreachable', 2)
    await deletedInVain(world, 2)
    await keep(world)
    await gone(world)
  },
  ...ENDS,
  mutants: [
    {
      title: 'does not tell the parts of a cluster that goes',
      controllers: (ports) => controllersWith(ports, { cluster: mute.cluster }),
      said: 'instead: TalosMachine one-',
    },
    {
      title: 'does not tell the machines of a pool that goes',
      controllers: (ports) => controllersWith(ports, { worker: mute.worker }),
      said: 'instead: TalosMachine one-',
    },
  ],
}

export const keptAlone: Life = {
  title: 'a cluster that goes is to keep its only machine, which does not answer',
  machines: 1,
  live: async (world) => {
    await world.objects.apply(world.cluster('one', [1], []))
    await settled(world, 'one')
    world.fault('unreachable', 1)
    await deletedInVain(world, 1)
    await world.objects.patch(Cluster, 'one', { spec: { controlPlane: POLICY } })
    await gone(world)
  },
  ...ENDS,
  ends: ['.1: running'],
  mutants: [
    {
      title: 'does not tell the machines of a control plane that goes',
      controllers: (ports) => controllersWith(ports, { controlPlane: mute.controlPlane }),
      said: 'instead: TalosMachine one-',
    },
  ],
}
