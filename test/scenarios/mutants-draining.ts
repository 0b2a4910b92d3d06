import { Node } from '#api/foreign.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { planBy, rules } from '#controllers/control-plane/plan.ts'
import { leavingRules, teardownBy } from '#controllers/machine/teardown.ts'
import type { ClusterNodes } from '#engine/cluster-nodes.ts'
import { drainMarkIn } from '#engine/drain-mark.ts'
import { controllersWith } from '#operator/controllers.ts'
import { objectsIn } from './cluster-content.ts'
import { type Life, settled, soon } from './mutants-life.ts'
import { instead, without } from './mutants-rules.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import { workloadsOf } from './workloads.ts'
import type { World } from './world.ts'

type Rule = (typeof leavingRules)[number]

const POOL = [Worker, 'pool'] as const

const poolIn = (world: World, machines: number[]) => {
  const { spec, ...rest } = workerIn(world, { name: 'pool', joins: 'one', machines })
  return { ...rest, spec: { ...spec, rolloutStrategy: { drain: { timeoutSeconds: 60 } } } }
}

/** Two workers, on each of which is a pod of a workload that so many have to be up of. */
async function twoWorkers(world: World, minAvailable: number): Promise<void> {
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await world.objects.apply(poolIn(world, [2, 3]))
  await settled(world, POOL)
  using workloads = await workloadsOf(world, 'one')
  await workloads.deploy('web', 2)
  await workloads.budget('web', minAvailable)
  await soon(world, async () => (await workloads.nodesOf('web')).length === 2)
}

/** No time is ever up. */
const timeless =
  (rule: Rule): Rule =>
  (machine, world) =>
    rule(machine, world, new Date(0))

/** What was in vain is over. */
const impatient =
  (rule: Rule): Rule =>
  (machine, world, now) => {
    const found = rule(machine, world, now)
    return found !== 'finished' && found?.reason === 'DrainBlocked' ? undefined : found
  }

/** Nodes of which one method is another. */
const nodesWith = (
  nodes: ClusterNodes,
  method: keyof ClusterNodes,
  other: (...given: never[]) => unknown,
): ClusterNodes =>
  new Proxy(nodes, {
    get: (of, key) => {
      const value: unknown = key === method ? other : Reflect.get(of, key)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })

/** One of them goes, and its pod can go elsewhere. */
export const drained: Life = {
  title: 'a worker goes whose pods have a budget',
  machines: 3,
  live: async (world) => {
    await twoWorkers(world, 1)
    await world.objects.apply(poolIn(world, [2]))
    await soon(world, async () => (await world.objects.list(Machine)).length === 2)
    await settled(world, POOL)
  },
  ...{ bootstraps: 1, resets: 1 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'resets machines before their nodes are drained',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { teardown: teardownBy(without(leavingRules, 'drainFirst')) },
        }),
      said: 'is still on its node',
    },
    {
      title: 'deletes pods instead of asking them to go',
      controllers: (ports) => {
        const { nodes } = ports
        const evictPods: ClusterNodes['evictPods'] = (...given) => nodes.deletePods(...given)
        return controllersWith({ ...ports, nodes: nodesWith(nodes, 'evictPods', evictPods) })
      },
      said: 'it was not evicted',
    },
  ],
}

/** One of them is to go, and its budget never lets its pod. */
export const blocked: Life = {
  title: 'a worker is to go whose pods have a budget without room',
  machines: 3,
  live: async (world) => {
    await twoWorkers(world, 2)
    await world.objects.apply(poolIn(world, [2]))
    const object = [Machine, `pool-${world.address(3)}`] as const
    await soon(world, async () => {
      const deleting = await conditionOf(world, object, 'Deleting')
      return deleting?.reason === 'DrainBlocked'
    })
    await world.pass(2)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Deleting=True (DrainBlocked)'],
  mutants: [
    {
      title: 'waits for pods without an end',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { teardown: teardownBy(instead(leavingRules, 'drainFirst', timeless)) },
        }),
      said: 'Deleting=True (Draining)',
    },
    {
      title: 'goes on when a budget does not let pods go in time',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { teardown: teardownBy(instead(leavingRules, 'drainFirst', impatient)) },
        }),
      said: 'is still on its node',
    },
  ],
}

/** Of two workers one is let go by force while it is drained. */
async function letGoInADrain(world: World): Promise<void> {
  await world.objects.apply(poolIn(world, [2]))
  const name = `pool-${world.address(3)}`
  const isMarked = async () =>
    (await objectsIn(world.fleet, Node)).some(({ metadata }) => drainMarkIn(metadata))
  await soon(world, isMarked)
  await world.objects.annotate(Machine, name, { [FORCE_DELETION]: 'true' })
  await soon(world, async () => !(await isMarked()))
}

export const letGo: Life = {
  title: 'a worker is let go by force in the middle of a drain',
  machines: 3,
  live: async (world) => {
    await twoWorkers(world, 2)
    await letGoInADrain(world)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'leaves a mark and a cordon behind',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: { plan: planBy(without(rules, 'uncordonStrays')) },
        }),
      said: 'is marked as drained for nobody who goes',
    },
    {
      title: 'takes its mark off a node and leaves the cordon',
      controllers: (ports, world) => {
        const uncordon: ClusterNodes['uncordon'] = async (...given) => {
          await ports.nodes.uncordon(...given)
          using workloads = await workloadsOf(world(), 'one')
          await workloads.cordon(given[1].name, true)
        }
        return controllersWith({ ...ports, nodes: nodesWith(ports.nodes, 'uncordon', uncordon) })
      },
      said: 'instead: the node of 127.80.33.3 is cordoned',
    },
  ],
}

/** The same, where somebody had cordoned it before. */
export const cordoned: Life = {
  title: 'a worker whose node somebody has cordoned is let go by force in the middle of a drain',
  machines: 3,
  live: async (world) => {
    await twoWorkers(world, 2)
    using workloads = await workloadsOf(world, 'one')
    await workloads.cordon(nodeOf(world, 3), true)
    await letGoInADrain(world)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['the node of 127.80.33.3 is cordoned'],
  mutants: [
    {
      title: 'undoes a cordon that is not its own',
      controllers: (ports, world) => {
        const uncordon: ClusterNodes['uncordon'] = async (...given) => {
          await ports.nodes.uncordon(...given)
          using workloads = await workloadsOf(world(), 'one')
          await workloads.cordon(given[1].name, false)
        }
        return controllersWith({ ...ports, nodes: nodesWith(ports.nodes, 'uncordon', uncordon) })
      },
      said: 'not in the end: the node of 127.80.33.3 is cordoned',
    },
  ],
}

const nodeOf = (world: World, machine: number): string =>
  world.fleet.machine(world.address(machine))?.hostname ?? ''
