import { ControlPlane } from '#api/control-plane.ts'
import { Worker } from '#api/worker.ts'
import {
  planBy as controlPlanePlanBy,
  rules as controlPlaneRules,
} from '#controllers/control-plane/plan.ts'
import { plan as machinePlan, planBy, rules } from '#controllers/machine/plan.ts'
import { planBy as workerPlanBy, rules as workerRules } from '#controllers/worker/plan.ts'
import { isWell, waitingForTurn } from '#engine/pending.ts'
import { givingTo } from '#engine/turn-steps.ts'
import { controllersWith } from '#operator/controllers.ts'
import { onMachines } from './a-control-plane.ts'
import { wordsFor } from './boundary.ts'
import { withPatch } from './changed-configs.ts'
import { untried, withoutMember } from './mutants-lies.ts'
import { type Life, settled, soon } from './mutants-life.ts'
import { instead, without } from './mutants-rules.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import { workloadsOf } from './workloads.ts'
import type { World } from './world.ts'

type Rule = (typeof rules)[number]
type ControlPlaneRule = (typeof controlPlaneRules)[number]
type WorkerRule = (typeof workerRules)[number]

const CONTROL_PLANE = [ControlPlane, 'one'] as const
const POOL = [Worker, 'pool'] as const

// What a machine takes while it runs, and what it reboots for.
const LIVE = { machine: { sysctls: { 'vm.swappiness': '1' } } }
const BY_REBOOT = { machine: { env: { GRPC_GO_LOG_SEVERITY_LEVEL: 'info' } } }

const poolIn = (world: World, machines: number[]) =>
  workerIn(world, { name: 'pool', joins: 'one', machines })

/** Whether machines live by a configuration with this in it. */
const have = ({ fleet, address }: World, machines: readonly number[], text: string): boolean =>
  machines.every((at) => {
    const { documents } = fleet.machines[at - 1]?.config ?? { documents: address }
    return JSON.stringify(documents)?.includes(text) === true
  })

/** Gives a turn to each that waits for one. */
const toAll: ControlPlaneRule & WorkerRule = (
  _parent: unknown,
  { turns, machines }: Parameters<ControlPlaneRule>[1] | Parameters<WorkerRule>[1],
) => {
  const waiting = waitingForTurn(machines)
  const isFree = turns.turns && turns.turns.held.length === 0
  return turns.turns && isFree && waiting.length > 0
    ? { steps: [givingTo(waiting, turns.turns)] }
    : undefined
}

/** Sees none of those that are not well. */
const blindToSick =
  (rule: ControlPlaneRule): ControlPlaneRule =>
  (controlPlane, world) =>
    rule(controlPlane, { ...world, machines: world.machines.filter(isWell) })

/** Does not ask who is left when it reboots. */
const fearless: ControlPlaneRule = (_controlPlane, { turns, machines }) => {
  const [next] = waitingForTurn(machines)
  return turns.turns?.held.length === 0 && next
    ? { steps: [givingTo([next], turns.turns)] }
    : undefined
}

/** A rule that sees no node. */
const nodeless =
  (rule: Rule): Rule =>
  (machine, world, now) =>
    rule(machine, { ...world, node: undefined }, now)

/** A turn is over as soon as there is nothing to change. */
const hasty: Rule = (_machine, { turn, seen }) =>
  turn === undefined || seen.is !== 'member'
    ? undefined
    : { steps: [{ do: 'endTurn', turn }], state: 'Available', pace: 'soon' }

/** The control plane of a pool is always ready. */
const heedless =
  (rule: WorkerRule): WorkerRule =>
  (worker, world) =>
    rule(worker, { ...world, isControlPlaneReady: true })

export const controlPlane: Life = {
  title: 'the configuration of a control plane is changed',
  machines: 2,
  live: async (world) => {
    await world.objects.apply(onMachines(world, [1, 2]))
    await settled(world, CONTROL_PLANE)
    await world.objects.apply(withPatch(onMachines(world, [1, 2]), LIVE))
    await soon(world, () => have(world, [1, 2], 'swappiness'))
    await settled(world, CONTROL_PLANE)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'changes all machines of a control plane at once',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: {
            plan: controlPlanePlanBy(instead(controlPlaneRules, 'giveTurn', () => toAll)),
          },
        }),
      said: '2 machines of a control plane have a turn, and 1 may',
    },
    {
      title: 'changes machines whose turn it is not',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: {
            plan: (machine, world, now) =>
              machinePlan(machine, Object.assign(world, { turn: world.turn ?? 0 }), now),
          },
        }),
      said: 'and it is not its turn',
    },
    {
      title: 'does not try a change before it is made',
      controllers: (ports) => controllersWith({ ...ports, machines: untried(ports.machines) }),
      said: 'the machine took no dry run of it before',
    },
  ],
}

/** Two workers on which something runs, with a budget, reboot for a change. */
export const rebooted: Life = {
  title: 'workers reboot for a change of their configuration',
  machines: 3,
  live: async (world) => {
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await world.objects.apply(poolIn(world, [2, 3]))
    await settled(world, POOL)
    using workloads = await workloadsOf(world, 'one')
    await workloads.deploy('web', 2)
    await workloads.budget('web', 1)
    await soon(world, async () => (await workloads.nodesOf('web')).length === 2)
    await world.objects.apply(withPatch(poolIn(world, [2, 3]), BY_REBOOT))
    await soon(world, () => have(world, [2, 3], 'SEVERITY'))
    await settled(world, POOL)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'changes more machines of a pool than may be down',
      controllers: (ports) =>
        controllersWith(ports, {
          worker: { plan: workerPlanBy(instead(workerRules, 'giveTurns', () => toAll)) },
        }),
      said: '2 machines of a pool have a turn, and 1 may',
    },
    {
      title: 'has machines reboot without a drain',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: planBy(instead(rules, 'applyConfig', nodeless)) },
        }),
      said: 'is still on its node',
    },
  ],
}

/** One of three is off when the others would have to reboot. */
export const sick: Life = {
  title: 'a control plane is to reboot while one of its machines is off',
  machines: 3,
  live: async (world) => {
    await world.objects.apply(onMachines(world, [1, 2, 3]))
    await settled(world, CONTROL_PLANE)
    world.fault('unreachable', 3)
    await soon(
      world,
      async () => (await conditionOf(world, CONTROL_PLANE, 'Ready'))?.status !== 'True',
    )
    await world.objects.apply(withPatch(onMachines(world, [1, 2, 3]), BY_REBOOT))
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Available Reachable=True (Answers) Ready=False (ConfigPending)'],
  mutants: [
    {
      title: 'does not count those of etcd that would be left, nor asks them',
      controllers: (ports) =>
        controllersWith(
          {
            ...ports,
            machines: withoutMember(withoutMember(ports.machines, '.3:'), '.2:'),
          },
          {
            controlPlane: {
              plan: controlPlanePlanBy(instead(controlPlaneRules, 'giveTurn', () => fearless)),
            },
          },
        ),
      said: '1 of 3 members of etcd are up without it, and 2 are needed',
    },
  ],
}

/** The first of three is not well with what it gets. */
export const harmful: Life = {
  title: 'a control plane is given a configuration that is bad for it',
  machines: 3,
  live: async (world) => {
    await world.objects.apply(onMachines(world, [1, 2, 3]))
    await settled(world, CONTROL_PLANE)
    const first = `configuration.apply ${world.address(1)} `
    const stop = world.boundary.onCall(() => {
      const call = world.history.at(-1)
      if (!call || !wordsFor(call).includes(first)) return
      stop()
      // What is wrong with it shows a little later.
      world.clock.after(10_000, () => world.fault('etcd-down', 1))
    })
    await world.objects.apply(withPatch(onMachines(world, [1, 2, 3]), LIVE))
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: [
    'one-127.80.34.2: Available Reachable=True (Answers) Ready=False (ConfigPending)',
    'Ready=False (NoEtcdMember)',
  ],
  mutants: [
    {
      title: 'goes on to the next machine before the last one is well',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: planBy(instead(rules, 'endTurn', () => hasty)) },
        }),
      said: 'not in the end: TalosMachine one-127.80.34.2: Available Reachable=True (Answers) Ready=False (ConfigPending)',
    },
  ],
}

/** All are to be changed while the control plane is not whole. */
export const notWhole: Life = {
  title: 'the configuration of all is changed while a machine of the control plane is off',
  machines: 4,
  live: async (world) => {
    await world.objects.apply(onMachines(world, [1, 2, 3]))
    await world.objects.apply(poolIn(world, [4]))
    await settled(world, POOL)
    world.fault('unreachable', 3)
    await soon(
      world,
      async () => (await conditionOf(world, CONTROL_PLANE, 'Ready'))?.status !== 'True',
    )
    await world.objects.apply(withPatch(onMachines(world, [1, 2, 3]), LIVE))
    await world.objects.apply(withPatch(poolIn(world, [4]), LIVE))
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=False (WaitsForControlPlane)', 'Ready=False (ConfigPending)'],
  mutants: [
    {
      title: 'gives a turn while another machine is not well',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: {
            plan: controlPlanePlanBy(instead(controlPlaneRules, 'giveTurn', blindToSick)),
          },
        }),
      said: 'not in the end: TalosMachine one-127.80.34.1: Available Reachable=True (Answers) Ready=False (ConfigPending)',
    },
    {
      title: 'changes workers though their control plane is not ready',
      controllers: (ports) =>
        controllersWith(ports, {
          worker: { plan: workerPlanBy(instead(workerRules, 'giveTurns', heedless)) },
        }),
      said: 'not in the end: TalosWorker pool: Ready Ready=False (WaitsForControlPlane)',
    },
  ],
}

/** A machine says no. */
export const refused: Life = {
  title: 'a machine does not take the configuration that is asked for',
  machines: 1,
  live: async (world) => {
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await settled(world, CONTROL_PLANE)
    world.fault('rejects-config', 1)
    await world.objects.apply(withPatch(controlPlaneIn(world, 'one', [1]), LIVE))
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=False (ConfigRejected)'],
  mutants: [
    {
      title: 'asks a machine for ever that said no',
      controllers: (ports) =>
        controllersWith(ports, { machine: { plan: planBy(without(rules, 'rejected')) } }),
      said: 'not in the end: TalosMachine one-127.80.34.1: Available Reachable=True (Answers) Ready=False (ConfigRejected)',
    },
  ],
}
