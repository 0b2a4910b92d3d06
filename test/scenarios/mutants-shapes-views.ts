import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Kind } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { leavingRules } from '#controllers/kubernetes-cluster/teardown.ts'
import type { World as Seen } from '#controllers/kubernetes-cluster/world.ts'
import { controllersWith } from '#operator/controllers.ts'
import { QUICK } from './manifests.ts'
import { believing } from './mutants-lies.ts'
import { type Life, soon } from './mutants-life.ts'
import {
  apply,
  leavingBy,
  leavingSeeing,
  SIX,
  seeing,
  untilMade,
  writingOver,
} from './mutants-of-a-shape.ts'
import { without } from './mutants-rules.ts'
import { isShapedReady, machineNames, SHAPED } from './shaped-cluster.ts'
import type { World } from './world.ts'

const LEAVING = [Machine, 'one-pool-one-pool-1'] as const

const isGoing = async ({ objects }: World) =>
  (await objects.find(...LEAVING))?.metadata.deletionTimestamp !== undefined

/** Starts an operator that is shown none of these: those of the first list, when there was none. The answer shows it all. */
function startBlind(world: World, kinds: readonly Kind[] = [ProvidedMachine]): () => void {
  const { apiFaults } = world
  const ends = kinds.flatMap((of) => [
    apiFaults.serveOldLists({ of }),
    apiFaults.holdEvents({ of }),
  ])
  world.startOperator()
  return () => {
    for (const end of ends) end()
  }
}

const believesCaches = writingOver((ports) =>
  controllersWith(ports).map((one) => believing(one, ProvidedMachine)),
)

const believesCachesOfPools = writingOver((ports) =>
  controllersWith(ports).map((one) => believing(one, Worker)),
)

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
      // Made anew over what is there.
      said: 'talos.alperen.cloud/in-place-of',
    },
  ],
}

/** Whoever is to go is taken for one whose Machine is gone. */
const allGone = ({ talos }: Seen) => ({
  gone: talos.machines
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    .map(({ metadata }) => metadata.name),
})

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
      controllers: seeing(allGone),
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

export const unseenWhileDeleted: Life = {
  title:
    'a cluster is deleted while a worker does not answer whose Machine the operator does not see',
  ...{ machines: 0, provided: SIX, hasApiFaults: true },
  live: async (world) => {
    await untilMade(world, 1, 2)
    const heal = world.fault('unreachable', 3)
    await world.objects.remove(KubernetesCluster, SHAPED)
    await soon(world, () => isGoing(world))
    await world.stopOperator()
    const see = startBlind(world)
    await world.pass(5)
    heal()
    see()
    await soon(world, async () => !(await world.objects.find(KubernetesCluster, SHAPED)))
    await world.pass(1)
  },
  ...{ bootstraps: 1, resets: 3 },
  ends: ['Secret one-talos-secrets'],
  mutants: [
    {
      title: 'takes it for gone, and lets go of what nobody could reset',
      controllers: leavingSeeing(allGone),
      said: 'resets instead of 3',
    },
  ],
}

const PARTS = [ControlPlane, Worker]
const LAST = ['one-pool-1', 3] as const

const addressed = (world: World, name: string, number: number) =>
  world.objects.patchStatus(ProvidedMachine, name, {
    ...{ phase: 'Running', ipAddresses: [world.address(number)] },
  })

export const unseenParts: Life = {
  title:
    'an operator starts that sees no part of a cluster, one Machine of which has no address for a while',
  ...{ machines: 3, hasApiFaults: true },
  live: async (world) => {
    await apply(world, 1, 2)
    await soon(world, async () => (await machineNames(world)).length === 3)
    const places = [['one-cp-0', 1] as const, ['one-pool-0', 2] as const, LAST]
    for (const [name, number] of places) await addressed(world, name, number)
    await soon(world, () => isShapedReady(world, 3))
    await world.pass(1)
    await world.stopOperator()
    await world.objects.patchStatus(ProvidedMachine, LAST[0], { ipAddresses: [] })
    const see = startBlind(world, PARTS)
    await world.pass(5)
    see()
    await addressed(world, ...LAST)
    await soon(world, () => isShapedReady(world, 3))
    await world.pass(1)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['KubernetesCluster one: Running', 'TalosMachine one-pool-one-pool-1'],
  mutants: [
    {
      title: 'makes the pool anew, of those that have addresses',
      controllers: believesCachesOfPools,
      said: 'its cluster wants one-pool-1',
    },
  ],
}

export const poolOfAnother: Life = {
  title: 'somebody else has a TalosWorker of the name of a pool, and the operator sees no part',
  ...{ machines: 0, provided: SIX, hasApiFaults: true },
  live: async (world) => {
    await untilMade(world, 1, 0)
    await world.stopOperator()
    const worker = { version: QUICK.talos, mode: 'metal', controlPlaneRef: { name: SHAPED } }
    await world.objects.create(Worker, {
      metadata: { name: 'one-pool', annotations: { [RECONCILE_MODE]: 'disable' } },
      spec: { ...worker, metalSpec: { machines: [{ address: world.address(9) }] } },
    })
    await apply(world, 1, 1)
    const see = startBlind(world, PARTS)
    await world.pass(5)
    see()
    await world.pass(2)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=False (OwnerReferenceFailed)'],
  mutants: [
    {
      title: 'takes it for its own',
      controllers: believesCachesOfPools,
      said: 'PATCH talosworkers/one-pool done: it is there, and not of this cluster',
    },
  ],
}
