import { ControlPlane } from '#api/control-plane.ts'
import { ETCD_LEFT, MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { plan, planBy, rules } from '#controllers/control-plane/plan.ts'
import type { World as Seen } from '#controllers/control-plane/world.ts'
import { leavingRules, teardownBy } from '#controllers/machine/teardown.ts'
import { controllersWith } from '#operator/controllers.ts'
import { no } from '#runtime/plan.ts'
import { onMachines } from './a-control-plane.ts'
import { leadingOn, withoutMember } from './mutants-lies.ts'
import { type Life, settled, soon } from './mutants-life.ts'
import { instead, without } from './mutants-rules.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

type Rule = (typeof rules)[number]

const CONTROL_PLANE = [ControlPlane, 'one'] as const

/** Takes whoever was told to go out of etcd, whatever becomes of the others. */
const countless: Rule = (_controlPlane, { machines }) => {
  const next = machines.find(
    ({ metadata }) =>
      metadata.deletionTimestamp !== undefined && metadata.annotations?.[ETCD_LEFT] === undefined,
  )
  if (!next) return undefined
  const uuid = next.metadata.annotations?.[MACHINE_UUID] ?? ''
  return {
    steps: [{ do: 'leaveEtcd', machine: next.metadata.name, uuid }],
    ready: no('RemovingMachine', 'it goes'),
  }
}

const threeMachines = async (world: World) => {
  await world.objects.apply(onMachines(world, [1, 2, 3]))
  await settled(world, CONTROL_PLANE)
}

/** One of three is off, and another one is deleted meanwhile. */
export const needed: Life = {
  title: 'a machine is deleted that etcd needs, and goes when that does not any more',
  machines: 3,
  live: async (world) => {
    await threeMachines(world)
    const come = world.fault('unreachable', 3)
    const isUnwell = async () =>
      (await conditionOf(world, CONTROL_PLANE, 'Ready'))?.status !== 'True'
    await soon(world, isUnwell)
    const name = `one-${world.address(2)}`
    const former = (await world.objects.find(Machine, name))?.metadata.uid
    await world.objects.remove(Machine, name)
    await world.pass(3)
    come()
    await soon(world, async () => {
      const uid = (await world.objects.find(Machine, name))?.metadata.uid
      return uid !== undefined && uid !== former
    })
    await settled(world, CONTROL_PLANE)
  },
  ...{ bootstraps: 1, resets: 1 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'does not count those that would be left, nor asks them',
      controllers: (ports) =>
        controllersWith(
          { ...ports, machines: withoutMember(ports.machines, '.3:') },
          { controlPlane: { plan: planBy(instead(rules, 'leaveEtcd', () => countless)) } },
        ),
      said: '1 of 2 members of etcd are left, and 2 are needed',
    },
    {
      title: 'lets a machine leave etcd that may lead it',
      controllers: (ports) => controllersWith({ ...ports, machines: leadingOn(ports.machines) }),
      said: 'it was not asked to give up to lead',
    },
    {
      title: 'resets machines that are in etcd',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { teardown: teardownBy(without(leavingRules, 'etcdFirst')) },
        }),
      said: 'the machine is still a member of etcd',
    },
  ],
}

/** Nobody whom no entry stands for is thought to be at a new address. */
const unfollowed =
  (removeSurplus: Rule): Rule =>
  (controlPlane, world) => {
    const known = world.pool.known.filter(
      ({ metadata }) => metadata.annotations?.[MACHINE_UUID] !== undefined,
    )
    return removeSurplus(controlPlane, { ...world, pool: { ...world.pool, known } })
  }

/** One that is off gets another address meanwhile, and comes back there. */
export const moved: Life = {
  title: 'a machine that is off moves, and the spec says where it will be',
  machines: 3,
  live: async (world) => {
    await threeMachines(world)
    world.fleet.machine(world.address(3))?.powerOff()
    await world.objects.apply(onMachines(world, [1, 2, 4]))
    await world.pass(8)
    await world.move(3, 4)
    world.fleet.machine(world.address(4))?.powerOn()
    await settled(world, CONTROL_PLANE)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=True', 'TalosMachine one-127.80.32.3: Available'],
  mutants: [
    {
      title: 'lets go whoever is off, though it is not known who is at the new address',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: { plan: planBy(instead(rules, 'removeSurplus', unfollowed)) },
        }),
      said: '1 resets instead of 0',
    },
  ],
}

/** The first machine that is in the spec no more is taken to the first new address. */
function guessed(pool: Seen['pool']): Seen['pool'] {
  const [[machine], [draft]] = [pool.surplus, pool.missing]
  if (!machine || !draft) return pool
  const metadata = { ...draft.metadata, name: machine.metadata.name }
  const changed = [{ machine, draft: { ...draft, metadata }, differs: ['endpoint' as const] }]
  return { ...pool, missing: [], surplus: [], changed }
}

/** One that is off has another one in its place, at another address. */
export const replacedByAnother: Life = {
  title: 'a machine is put in the place of one that is off',
  machines: 4,
  live: async (world) => {
    await threeMachines(world)
    world.fleet.machine(world.address(3))?.powerOff()
    await world.objects.apply(onMachines(world, [1, 2, 4]))
    await settled(world, CONTROL_PLANE)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['TalosMachine one-127.80.32.4: Available'],
  mutants: [
    {
      title: 'takes whoever is at the new address for the one that was off',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: {
            plan: (controlPlane, world, now) =>
              plan(controlPlane, Object.assign(world, { pool: guessed(world.pool) }), now),
          },
        }),
      said: 'not in the end: TalosMachine one-127.80.32.4: Available',
    },
  ],
}

/** One that is off is taken out of the spec. */
export const deadOne: Life = {
  title: 'a machine that is off is taken out of the spec',
  machines: 3,
  live: async (world) => {
    await threeMachines(world)
    world.fault('unreachable', 3)
    await soon(
      world,
      async () => (await conditionOf(world, CONTROL_PLANE, 'Ready'))?.status !== 'True',
    )
    await world.objects.apply(onMachines(world, [1, 2]))
    await settled(world, CONTROL_PLANE)
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'leaves its member in etcd',
      controllers: (ports) =>
        controllersWith(ports, { controlPlane: { plan: planBy(without(rules, 'leaveEtcd')) } }),
      said: 'not in the end: etcd of https://127.80.32.1:2380 https://127.80.32.2:2380',
    },
    {
      title: 'keeps its node',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { teardown: teardownBy(without(leavingRules, 'nodeOfDead')) },
        }),
      said: 'not in the end: nodes of 127.80.32.1 127.80.32.2',
    },
  ],
}
