import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Kind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { controllersWith } from '#operator/controllers.ts'
import { believing } from './mutants-lies.ts'
import { gone, type Life, type Mutant, settled, soon } from './mutants-life.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

// Lives in which a cache is behind: whoever believes it wipes machines that are to stay, or leaves some behind.

const believes =
  (...kinds: readonly Kind[]): Mutant['controllers'] =>
  (ports) =>
    controllersWith(ports).map((one) => kinds.reduce(believing, one))

const OLD = { machines: 2, hasApiFaults: true, bootstraps: 1 }

const pooled = (world: World) => [Machine, `one-${world.address(2)}`] as const

async function aCluster(world: World): Promise<void> {
  await world.objects.apply(world.cluster('one', [1], [2]))
  await settled(world, 'one')
}

/** Starts an operator that is shown objects of a kind as they were then, and none of it after that. The answer shows it all. */
function startSeeing(world: World, of: Kind, sinceMs = 0): () => void {
  const oldestMs = world.clock.monotonicMs() - sinceMs
  const ends = [world.apiFaults.serveOldLists({ of, oldestMs }), world.apiFaults.holdEvents({ of })]
  world.startOperator()
  return () => {
    for (const end of ends) end()
  }
}

/** One that sees none of a kind: the list is that of the first operator, which found none. */
const startBlind = (world: World, of: Kind) => startSeeing(world, of)

/** A machine that does not answer was told to go, and answers again when something was said that nobody sees. */
async function sparedUnseen(world: World, say: () => Promise<void>): Promise<void> {
  await aCluster(world)
  const heal = world.fault('unreachable', 2)
  await world.objects.remove(...pooled(world))
  await soon(
    world,
    async () => (await conditionOf(world, pooled(world), 'Deleting'))?.reason === 'ResetBlocked',
  )
  const see = world.apiFaults.holdEvents()
  await say()
  heal()
  await world.pass(2)
  see()
  await world.pass(1)
}

const disabled = { [RECONCILE_MODE]: 'disable' }

export const sparedItself: Life = {
  title: 'a machine that goes is not to be worked on, and the operator does not see that yet',
  ...OLD,
  live: (world) => sparedUnseen(world, () => world.objects.annotate(...pooled(world), disabled)),
  resets: 0,
  ends: ['.2: running'],
  mutants: [
    {
      title: 'believes what it sees of the machine',
      controllers: believes(Machine),
      said: '1 resets instead of 0',
    },
  ],
}

export const sparedFromAbove: Life = {
  title: 'the cluster of a machine that goes is not to be worked on, which nobody sees yet',
  ...OLD,
  live: (world) => sparedUnseen(world, () => world.objects.annotate(Cluster, 'one', disabled)),
  resets: 0,
  ends: ['.2: running'],
  mutants: [
    {
      title: 'believes what it sees of the cluster',
      controllers: believes(Cluster),
      said: '1 resets instead of 0',
    },
  ],
}

export const workersAdded: Life = {
  title: 'workers are put into a cluster, and an operator starts that sees it without them',
  ...OLD,
  live: async (world) => {
    await world.objects.apply(world.cluster('one', [1], []))
    await settled(world, 'one')
    const sinceMs = world.clock.monotonicMs()
    await world.restartOperator()
    await world.pass(1)
    await aCluster(world)
    await soon(world, async () => (await world.objects.list(Worker)).length === 1)
    await settled(world, [Worker, 'one'])
    await world.stopOperator()
    const see = startSeeing(world, Cluster, sinceMs)
    await world.pass(3)
    see()
    await settled(world, 'one')
  },
  resets: 0,
  ends: ['TalosWorker one: Ready', '.2: running'],
  mutants: [
    {
      title: 'believes what it sees of the cluster',
      controllers: believes(Cluster),
      said: '1 resets instead of 0',
    },
  ],
}

export const entryAdded: Life = {
  title: 'a machine is put into a pool, and an operator starts that sees the pool without it',
  ...{ ...OLD, machines: 3 },
  live: async (world) => {
    const pool = (...machines: number[]) =>
      workerIn(world, { name: 'pool', joins: 'one', machines })
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await world.objects.apply(pool(2))
    await settled(world, [Worker, 'pool'])
    const sinceMs = world.clock.monotonicMs()
    await world.restartOperator()
    await world.pass(1)
    await world.objects.apply(pool(2, 3))
    await soon(world, async () => (await world.objects.list(Machine)).length === 3)
    await settled(world, [Worker, 'pool'])
    await world.stopOperator()
    const see = startSeeing(world, Worker, sinceMs)
    await world.pass(3)
    see()
    await settled(world, [Worker, 'pool'])
  },
  resets: 0,
  ends: ['TalosWorker pool: Ready', '.3: running'],
  mutants: [
    {
      title: 'believes what it sees of the pool',
      controllers: believes(Worker),
      said: '1 resets instead of 0',
    },
  ],
}

export const unseenParent: Life = {
  title: 'a machine goes, and an operator starts that does not see its pool',
  ...OLD,
  live: async (world) => {
    await aCluster(world)
    await world.stopOperator()
    await world.objects.remove(...pooled(world))
    const see = startBlind(world, Worker)
    await world.pass(2)
    see()
    await soon(world, () => world.fleet.machines.every(({ stage }) => stage === 'running'))
    await settled(world, 'one')
  },
  resets: 1,
  ends: ['TalosWorker one: Ready', '.2: running'],
  mutants: [
    {
      title: 'takes the pool for gone, and leaves the machine as it is',
      controllers: believes(Worker),
      said: '0 resets instead of 1',
    },
  ],
}

export const unseenWorkers: Life = {
  title: 'a cluster is deleted, and an operator starts that does not see its workers',
  ...OLD,
  live: async (world) => {
    await aCluster(world)
    await world.stopOperator()
    await world.objects.remove(Cluster, 'one')
    const see = startBlind(world, Worker)
    await world.pass(3)
    see()
    await gone(world)
    await world.pass(1)
  },
  resets: 2,
  ends: ['.1: maintenance', '.2: maintenance'],
  mutants: [
    {
      title: 'takes them for gone, and the control plane down before them',
      controllers: believes(Worker),
      said: '1 resets instead of 2',
    },
  ],
}

export const unseenMachines: Life = {
  title: 'all of a cluster is deleted, and an operator starts that does not see its machines',
  ...OLD,
  live: async (world) => {
    await aCluster(world)
    await world.stopOperator()
    await world.objects.remove(Cluster, 'one')
    await world.objects.remove(Worker, 'one')
    await world.objects.remove(ControlPlane, 'one')
    const see = startBlind(world, Machine)
    await world.pass(3)
    see()
    await gone(world)
    await world.pass(1)
  },
  resets: 2,
  ends: ['.1: maintenance', '.2: maintenance'],
  mutants: [
    {
      title: 'takes them for gone, and what knows how to reset them with them',
      controllers: believes(Machine),
      said: '0 resets instead of 2',
    },
  ],
}
