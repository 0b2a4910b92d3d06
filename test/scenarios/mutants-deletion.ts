import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { FORCE_DELETION, MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { teardown as clusterTeardown } from '#controllers/cluster/plan.ts'
import {
  leavingRules as controlPlaneLeaving,
  teardownBy as controlPlaneTeardownBy,
} from '#controllers/control-plane/teardown.ts'
import { planBy, rules } from '#controllers/machine/plan.ts'
import { leavingRules, teardownBy } from '#controllers/machine/teardown.ts'
import { controllersWith } from '#operator/controllers.ts'
import { no } from '#runtime/plan.ts'
import { asIsWanted } from './mutants-lies.ts'
import { gone, type Life, type Mutant, settled, soon } from './mutants-life.ts'
import { instead, without } from './mutants-rules.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import type { World } from './world.ts'

const doesWithout =
  (rule: string): Mutant['controllers'] =>
  (ports) =>
    controllersWith(ports, { machine: { teardown: teardownBy(without(leavingRules, rule)) } })

const pool = (world: World, name: string) => workerIn(world, { name, joins: 'one', machines: [2] })

/** A cluster of one, and a pool of one. */
async function withPool(world: World, name: string): Promise<void> {
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await world.objects.apply(pool(world, name))
  await settled(world, [Worker, name])
}

async function deleteCluster(world: World): Promise<void> {
  await world.objects.remove(Cluster, 'one')
  await gone(world)
  await soon(world, () => world.fleet.machines.every(({ stage }) => stage === 'maintenance'))
}

type ClusterTeardown = typeof clusterTeardown

/** Knows of no workers as long as there is a control plane. */
const controlPlaneFirst: ClusterTeardown = (cluster, world, now) => {
  const { controlPlane, worker } = world
  const unknown = { ...worker, child: undefined, isOwn: false, leftOver: undefined }
  return clusterTeardown(cluster, { ...world, worker: controlPlane.child ? unknown : worker }, now)
}

export const deletion: Life = {
  title: 'a cluster is deleted',
  machines: 2,
  live: async (world) => {
    await world.objects.apply(world.cluster('one', [1], [2]))
    await settled(world, 'one')
    await deleteCluster(world)
  },
  ...{ bootstraps: 1, resets: 2 },
  ends: [],
  mutants: [
    {
      title: 'takes down the control plane first, which waits for its workers',
      controllers: (ports) => controllersWith(ports, { cluster: { teardown: controlPlaneFirst } }),
      said: 'instead: TalosWorker one',
    },
    {
      title: 'takes down the control plane first, which waits for nobody, nor do its machines',
      controllers: (ports) =>
        controllersWith(ports, {
          cluster: { teardown: controlPlaneFirst },
          controlPlane: {
            teardown: controlPlaneTeardownBy(without(controlPlaneLeaving, 'workersFirst')),
          },
          machine: { teardown: teardownBy(without(leavingRules, 'workersFirst')) },
        }),
      said: '1 resets instead of 2',
    },
  ],
}

const takesOver: (typeof rules)[number] = ({ metadata }, { seen }) =>
  seen.is === 'member' && !metadata.annotations?.[MACHINE_UUID]
    ? {
        steps: [{ do: 'claim', uuid: seen.uuid }],
        ready: no('TakingOver', 'it is taken over'),
        pace: 'soon',
      }
    : undefined

export const preserved: Life = {
  title: 'machines are left running, and found again by those who did not configure them',
  machines: 2,
  live: async (world) => {
    const cluster = world.cluster('one', [1], [2])
    const { controlPlane, worker } = cluster.spec
    const deletionPolicy = 'preserve'
    await world.objects.apply({
      ...cluster,
      spec: {
        controlPlane: { ...controlPlane, deletionPolicy },
        worker: { ...worker, deletionPolicy },
      },
    })
    await settled(world, 'one')
    await world.objects.remove(Cluster, 'one')
    await gone(world)
    await world.objects.apply(cluster)
    await world.pass(3)
    await world.objects.remove(Cluster, 'one')
    await gone(world)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['.1: running', '.2: running'],
  mutants: [
    {
      title: 'has no word for what is not to be wiped',
      controllers: doesWithout('nothingToWipe'),
      said: 'instead: TalosMachine one-',
    },
    {
      title: 'makes a machine its own that it did not configure',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: planBy(instead(rules, 'unclaimed', () => takesOver)) },
        }),
      // That of the control plane is not even asked: its cluster runs.
      said: '1 resets instead of 0',
    },
  ],
}

export const replacedWhenDeleted: Life = {
  title: 'a machine is deleted at whose address is another one of the cluster by now',
  machines: 2,
  live: async (world) => {
    await withPool(world, 'old')
    world.fault('wrong-machine', 2)
    await world.objects.apply(pool(world, 'new'))
    await settled(world, [Worker, 'new'])
    await world.objects.remove(Worker, 'old')
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['ResetBlocked'],
  mutants: [
    {
      title: 'has no word for a machine that is not ours',
      controllers: doesWithout('notOurs'),
      said: 'not in the end: TalosMachine old-',
    },
    {
      title: 'does not ask a machine who it is before it is reset',
      controllers: (ports, world) =>
        controllersWith({
          ...ports,
          machines: asIsWanted(
            ports.machines,
            world,
            ({ metadata }) => metadata.deletionTimestamp !== undefined,
          ),
        }),
      said: 'the machine is that of new-',
    },
  ],
}

export const twoObjects: Life = {
  title: 'one of two objects that stand for one machine is deleted',
  machines: 2,
  live: async (world) => {
    await withPool(world, 'first')
    await world.objects.apply(pool(world, 'second'))
    await world.pass(1)
    const [first, second] = [`first-${world.address(2)}`, `second-${world.address(2)}`]
    const uuid = (await world.objects.find(Machine, first))?.status?.uuid ?? ''
    await world.objects.annotate(Machine, second, { [MACHINE_UUID]: uuid })
    await world.pass(1)
    await world.objects.remove(Worker, 'second')
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['.2: running'],
  mutants: [
    {
      title: 'wipes a machine for each object that stands for it',
      controllers: doesWithout('anothersToo'),
      said: 'the machine is that of first-',
    },
  ],
}

export const oneOfControlPlane: Life = {
  title: 'the only machine of a control plane is deleted',
  machines: 1,
  live: async (world) => {
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await settled(world, [ControlPlane, 'one'])
    await world.objects.remove(Machine, `one-${world.address(1)}`)
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Deleting=True (LeavingEtcd)'],
  mutants: [
    {
      title: 'takes any machine out of a control plane',
      controllers: doesWithout('etcdFirst'),
      said: '1 resets instead of 0',
    },
  ],
}

export const deadWhenDeleted: Life = {
  title: 'a cluster with a dead machine is deleted by force',
  machines: 2,
  live: async (world) => {
    await world.objects.apply(world.cluster('one', [1], [2]))
    await settled(world, 'one')
    world.fault('unreachable', 2)
    await world.objects.remove(Cluster, 'one')
    await world.pass(1)
    await world.objects.annotate(Cluster, 'one', { [FORCE_DELETION]: 'true' })
    await gone(world)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['.2: running'],
  mutants: [
    {
      title: 'is deaf to force',
      controllers: doesWithout('nothingToWipe'),
      said: 'instead: TalosMachine one-',
    },
  ],
}
