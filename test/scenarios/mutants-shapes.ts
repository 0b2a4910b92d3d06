import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { ALLOW_SCALE_DOWN, ROLE } from '#api/labels.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { planEvery } from '#controllers/kubernetes-cluster/plan.ts'
import { leavingRules } from '#controllers/kubernetes-cluster/teardown.ts'
import type { World as Seen } from '#controllers/kubernetes-cluster/world.ts'
import { controllersWith } from '#operator/controllers.ts'
import type { Ports } from '#operator/ports.ts'
import { type Life, soon } from './mutants-life.ts'
import { apply, leavingBy, SIX, seeing, untilMade, writingOver } from './mutants-of-a-shape.ts'
import { without } from './mutants-rules.ts'
import { controlPlaneIn } from './parts.ts'
import { isShapedReady, machineNames, SHAPED } from './shaped-cluster.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

export const fewerWorkers: Life = {
  title: 'a cluster by its shape loses a worker',
  ...{ machines: 0, provided: SIX },
  live: async (world) => {
    await untilMade(world, 1, 2)
    await untilMade(world, 1, 1)
  },
  ...{ bootstraps: 1, resets: 1 },
  ends: ['KubernetesCluster one: Running'],
  mutants: [
    {
      title: 'takes the Machine away from under the engine',
      controllers: seeing(() => ({ held: [] })),
      said: 'TalosMachine one-pool-one-pool-1 stands for it',
    },
  ],
}

export const slowToGo: Life = {
  title: 'a cluster by its shape loses two control planes, and the first of them does not answer',
  ...{ machines: 0, provided: SIX },
  live: async (world) => {
    await untilMade(world, 3, 0)
    const heal = world.fault('unreachable', 3)
    await apply(world, 1, 0)
    await world.pass(3)
    heal()
    await soon(world, () => isShapedReady(world, 1))
    await world.pass(1)
  },
  ...{ bootstraps: 1, resets: 2 },
  ends: ['KubernetesCluster one: Running'],
  mutants: [
    {
      title: 'does not wait until it has gone',
      controllers: seeing(({ talos }) => ({ talos: { ...talos, machines: [] } })),
      said: 'TalosMachine one-one-cp-2 has not gone yet',
    },
  ],
}

export const fewerOfBoth: Life = {
  title: 'a cluster by its shape loses two control planes and its worker',
  ...{ machines: 0, provided: SIX },
  live: async (world) => {
    await untilMade(world, 3, 1)
    await untilMade(world, 1, 0)
  },
  ...{ bootstraps: 1, resets: 3 },
  ends: ['KubernetesCluster one: Running'],
  mutants: [
    {
      title: 'lets control planes go before workers',
      controllers: seeing(({ machines, wanted }) => ({
        machines: machines.filter(
          ({ metadata }) =>
            metadata.labels?.[ROLE] === 'controlplane' ||
            wanted.some(({ name }) => name === metadata.name),
        ),
      })),
      said: 'the worker one-pool-0 has to go first',
    },
  ],
}

export const manyLess: Life = {
  title: 'a cluster of five control planes is told to have one',
  machines: 0,
  live: async (world) => {
    await apply(world, 5, 0)
    await soon(world, async () => (await machineNames(world)).length === 5)
    await apply(world, 1, 0)
    await world.pass(5)
  },
  ...{ bootstraps: 0, resets: 0 },
  ends: ['TopologyValid=False (ValidationFailed)', 'Machine one-cp-4'],
  mutants: [
    {
      title: 'believes that',
      controllers: (ports) => {
        const plan = planEvery(ports.provided.resyncMs)
        const annotations = { [ALLOW_SCALE_DOWN]: 'true' }
        return controllersWith(ports, {
          kubernetesCluster: {
            plan: ({ metadata, ...cluster }, seen, now) =>
              plan({ ...cluster, metadata: { ...metadata, annotations } }, seen, now),
          },
        })
      },
      said: 'there are to be 4 control planes less',
    },
  ],
}

export const ofAnother: Life = {
  title: 'somebody else has a Machine of the name of a wanted one',
  ...{ machines: 0, provided: SIX },
  live: async (world) => {
    await world.objects.create(ProvidedMachine, {
      ...{ metadata: { name: 'one-pool-0' }, spec: { provider: 'another' } },
    })
    await apply(world, 1, 1)
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['MachinesCreated=False (CreationFailed)'],
  mutants: [
    {
      title: 'takes it for its own',
      controllers: writingOver(
        seeing(({ wanted, machines }) => ({
          taken: [],
          free: wanted
            .map(({ name }) => name)
            .filter((name) => !machines.some(({ metadata }) => metadata.name === name)),
        })),
      ),
      said: 'PATCH machines/one-pool-0 done: it is there, and not of this cluster',
    },
  ],
}

export const controlPlaneOfAnother: Life = {
  title: 'somebody else has a TalosControlPlane of the name of the cluster',
  ...{ machines: 1, provided: [2, 3] },
  live: async (world) => {
    const theirs = controlPlaneIn(world, SHAPED, [1])
    // Said by itself: where it is not, the API alone would refuse what the mutant does.
    const secretsRef = { name: 'one-secrets' }
    await world.objects.apply({ ...theirs, spec: { ...theirs.spec, secretsRef } })
    await soon(
      world,
      async () => (await conditionOf(world, [ControlPlane, SHAPED], 'Ready'))?.status === 'True',
    )
    await apply(world, 1, 0)
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['TalosControlPlane one: Ready Ready=True', 'Ready=False (OwnerReferenceFailed)'],
  mutants: [
    {
      title: 'takes it for its own',
      controllers: writingOver(seeing(() => ({ taken: [] }))),
      said: 'PATCH taloscontrolplanes/one done: it is there, and not of this cluster',
    },
  ],
}

/** Takes a Secret away, whoever holds it. */
async function lose(world: World, name: string): Promise<void> {
  await world.objects.patch(Secret, name, { metadata: { finalizers: null } })
  await world.objects.remove(Secret, name)
}

const ANEW: Partial<Seen> = {
  secrets: { is: 'to be made', name: 'one-talos-secrets', from: 'nothing', brought: {} },
}

export const secretsGone: Life = {
  title: 'the secrets of a cluster by its shape are lost',
  ...{ machines: 0, provided: SIX },
  live: async (world) => {
    await untilMade(world, 1, 0)
    await world.stopOperator()
    await lose(world, 'one-talos-secrets')
    await lose(world, 'one-state')
    world.startOperator()
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['SecretsLost'],
  mutants: [
    {
      title: 'makes new ones because it finds none',
      controllers: seeing(({ secrets }) => (secrets.is === 'with the control plane' ? ANEW : {})),
      said: 'the secrets one-talos-secrets were made 2 times',
    },
  ],
}

const deleted = async (world: World) => {
  await untilMade(world, 1, 1)
  await world.objects.remove(KubernetesCluster, SHAPED)
  await soon(world, async () => !(await world.objects.find(KubernetesCluster, SHAPED)))
  await world.pass(1)
}

const machinesFirst = [
  ...leavingRules.filter(({ name }) => name === 'thenMachines'),
  ...without(leavingRules, 'thenMachines'),
]

export const deletion: Life = {
  title: 'a cluster by its shape is deleted',
  ...{ machines: 0, provided: SIX },
  live: deleted,
  ...{ bootstraps: 1, resets: 2 },
  ends: ['Secret one-talos-secrets'],
  mutants: [
    {
      title: 'lets Machines go before the engine has let go of them',
      controllers: leavingBy(machinesFirst),
      said: 'TalosMachine one-one-cp-0 stands for it',
    },
    {
      title: 'does not wait for its Machines',
      controllers: leavingBy(without(leavingRules, 'thenMachines')),
      said: 'Machine one-cp-0 is still there',
    },
    {
      title: 'leaves its files behind',
      controllers: leavingBy(without(leavingRules, 'thenFiles')),
      said: 'instead: file one/one-cp-0.yaml',
    },
  ],
}

/** A folder in which everything is taken for the cluster's own. */
function careless({ provided }: Ports, world: () => World): Ports['provided']['results'] {
  const { results } = provided
  const pathOf = (folder: string) => join(world().resultsFolder, folder)
  const allIn = async (folder: string) => {
    const names = await readdir(pathOf(folder)).catch(() => [])
    return names.filter((name) => name.endsWith('.yaml'))
  }
  return {
    ...results,
    look: async (owner, wanted, isLive) => {
      const seen = await results.look(owner, wanted, isLive)
      const names = new Set(wanted.map(({ name }) => name))
      const all = await world().clock.elsewhere(() => allIn(owner.folder))
      return { ...seen, surplus: all.filter((name) => !names.has(name)) }
    },
    remove: async (owner, names) => {
      await results.remove(owner, names)
      const paths = names.map((name) => join(pathOf(owner.folder), name))
      const removed = () => Promise.all(paths.map((path) => rm(path, { force: true })))
      await world().clock.elsewhere(removed)
    },
  }
}

export const filesOfAnother: Life = {
  title: 'somebody else keeps a file beside those of a cluster, which is deleted',
  machines: 0,
  live: async (world) => {
    await mkdir(join(world.resultsFolder, SHAPED), { recursive: true })
    await writeFile(join(world.resultsFolder, SHAPED, 'notes.yaml'), 'of somebody\n')
    await apply(world, 1, 1)
    await soon(world, async () => (await machineNames(world)).length === 2)
    await world.pass(2)
    await world.objects.remove(KubernetesCluster, SHAPED)
    await soon(world, async () => !(await world.objects.find(KubernetesCluster, SHAPED)))
  },
  ...{ bootstraps: 0, resets: 0 },
  ends: ['file one/notes.yaml'],
  mutants: [
    {
      title: 'takes it for one of its own',
      controllers: (ports, world) => {
        const results = careless(ports, world)
        return controllersWith({ ...ports, provided: { ...ports.provided, results } })
      },
      said: 'not in the end: file one/notes.yaml',
    },
  ],
}
