import { ControlPlane } from '#api/control-plane.ts'
import { BOOTSTRAP_ACCEPTED, BOOTSTRAP_MACHINE, ETCD_SEEN, RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { claimedUuid, hasBegun, isUp } from '#controllers/control-plane/machine-facts.ts'
import { planBy, rules } from '#controllers/control-plane/plan.ts'
import { planBy as machinePlanBy, rules as machineRules } from '#controllers/machine/plan.ts'
import { controllersWith } from '#operator/controllers.ts'
import { no } from '#runtime/plan.ts'
import type { ResetRequest } from '#simulator/machine/machine.ts'
import { withoutEtcd } from './mutants-lies.ts'
import { type Life, settled, soon } from './mutants-life.ts'
import { instead, without } from './mutants-rules.ts'
import { controlPlaneIn } from './parts.ts'
import type { World } from './world.ts'

type Rule = (typeof rules)[number]

const hasEtcd = (world: World) => world.fleet.clusters.some(({ halves }) => halves.length > 0)

/** Asks the first machine that is up, whichever that is each time. */
const firstThatIsUp: Rule = (_controlPlane, { machines }) => {
  if (hasBegun(machines)) return undefined
  const first = machines.find(isUp)
  const uuid = first && claimedUuid(first)
  return {
    ...(first && uuid && { steps: [{ do: 'bootstrap', machine: first.metadata.name, uuid }] }),
    ready: no('Bootstrapping', 'the cluster begins'),
  }
}

const unwritten = without(
  without(
    instead(rules, 'bootstrap', () => firstThatIsUp),
    'chooseBootstrap',
  ),
  'recordBegun',
)

export const firstIsSilent: Life = {
  title: 'the operator dies when a cluster begins, and the machine on which it does falls silent',
  machines: 3,
  live: async (world) => {
    const late = [world.fault('unreachable', 1), world.fault('unreachable', 3)]
    world.killAfter(`bootstrap ${world.address(2)}`)
    await world.objects.apply(world.cluster('one', [1, 2, 3], []))
    await soon(world, () => hasEtcd(world))
    const heal = world.fault('unreachable', 2)
    for (const come of late) come()
    await world.pass(4)
    heal()
    await settled(world, 'one')
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'does not write down which machine it asks, nor asks the others',
      controllers: (ports) =>
        controllersWith(
          { ...ports, machines: withoutEtcd(ports.machines) },
          { controlPlane: { plan: planBy(unwritten) } },
        ),
      said: 'a cluster was begun 2 times',
    },
    {
      title: 'does not write down that it has begun',
      controllers: (ports) =>
        controllersWith(ports, { controlPlane: { plan: planBy(without(rules, 'recordBegun')) } }),
      said: `not in the end: TalosControlPlane one: Ready Ready=True (AsWanted) ${BOOTSTRAP_ACCEPTED}`,
    },
  ],
}

/** As from a backup: what is known of the machines is from before the cluster began. */
async function restoreOldView(world: World, [first, second]: readonly [string, string]) {
  await world.stopOperator()
  const uuid = (await world.objects.find(Machine, second))?.status?.uuid ?? ''
  await world.objects.annotate(Machine, first, { [RECONCILE_MODE]: 'disable' })
  await world.objects.patchStatus(Machine, first, { etcdMember: null })
  const annotations = { [BOOTSTRAP_MACHINE]: uuid, [BOOTSTRAP_ACCEPTED]: null, [ETCD_SEEN]: null }
  await world.objects.patch(ControlPlane, 'one', { metadata: { annotations } })
  world.startOperator()
}

export const oldView: Life = {
  title: 'an old view of a cluster, in which it has not begun, is restored from a backup',
  machines: 2,
  live: async (world) => {
    const heal = world.fault('registry-refuses', 2, 'image=etcd')
    // Whoever is up first begins it, and that is to be the first.
    const come = world.fault('unreachable', 2)
    const [first, second] = [`one-${world.address(1)}`, `one-${world.address(2)}`]
    await world.objects.apply(world.cluster('one', [1, 2], []))
    const statusOf = async (name: string) => (await world.objects.find(Machine, name))?.status
    await soon(world, async () => (await statusOf(first))?.etcdMember !== undefined)
    come()
    await soon(world, async () => (await statusOf(second))?.stage === 'booting')
    await world.pass(1)
    await restoreOldView(world, [first, second])
    await world.pass(3)
    heal()
    await world.objects.annotate(Machine, first, { [RECONCILE_MODE]: 'reconcile' })
    await settled(world, 'one')
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'believes what was seen of machines, and does not ask them whether it has begun',
      controllers: (ports) => controllersWith({ ...ports, machines: withoutEtcd(ports.machines) }),
      // How many depends on how often it is looked.
      said: 'bootstraps instead of 1',
    },
  ],
}

const BY_HAND: ResetRequest = {
  ...{ graceful: false, reboot: true, partitions: [], userDisks: [] },
  mode: 'ALL',
}

const unwiped = { plan: machinePlanBy(without(machineRules, 'wiped')) }

export const resetByHand: Life = {
  title: 'somebody resets the machine that a cluster began on',
  machines: 1,
  live: async (world) => {
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await settled(world, [ControlPlane, 'one'])
    world.fleet.machine(world.address(1))?.reset(BY_HAND)
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 1 },
  ends: ['Ready=False (MachineWasReset)'],
  mutants: [
    {
      title: 'gives it its configuration again',
      controllers: (ports) => controllersWith(ports, { machine: unwiped }),
      said: 'not in the end: machine',
    },
    {
      title: 'goes by what it sees of etcd now',
      controllers: (ports) =>
        controllersWith(ports, { machine: unwiped, controlPlane: { plan: planBy(unwritten) } }),
      // How many depends on how often it is looked.
      said: 'bootstraps instead of 1',
    },
  ],
}
