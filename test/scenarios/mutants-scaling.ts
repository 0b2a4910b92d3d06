import { ControlPlane } from '#api/control-plane.ts'
import { ETCD_LEFT, MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { planBy, rules } from '#controllers/control-plane/plan.ts'
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
