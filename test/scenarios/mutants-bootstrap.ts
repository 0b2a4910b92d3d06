import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import {
  BOOTSTRAP_ACCEPTED,
  BOOTSTRAP_MACHINE,
  ETCD_MEMBER,
  ETCD_SEEN,
  RECONCILE_MODE,
} from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { claimedUuid, hasBegun, isUp } from '#controllers/control-plane/machine-facts.ts'
import { planBy, rules } from '#controllers/control-plane/plan.ts'
import { planBy as machinePlanBy, rules as machineRules } from '#controllers/machine/plan.ts'
import { controllersWith } from '#operator/controllers.ts'
import { no } from '#runtime/plan.ts'
import type { ResetRequest } from '#simulator/machine/machine.ts'
import { withoutEtcd } from './mutants-lies.ts'
import { gone, type Life, settled, soon } from './mutants-life.ts'
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

const unwritten = ['chooseBootstrap', 'recordBegun', 'membersAreNoted', 'apiIsSilent'].reduce(
  without<Rule>,
  instead(rules, 'bootstrap', () => firstThatIsUp),
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
  await world.objects.patch(Machine, first, {
    metadata: { annotations: { [RECONCILE_MODE]: 'disable', [ETCD_MEMBER]: null } },
  })
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
    // Where it is reached nobody answers before the second has etcd, too: or that would tell that it has begun.
    await world.objects.apply(world.cluster('one', [2, 1], []))
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

/** A cluster on the first machine, made and let go, so that it runs and its keys are left. */
async function letGo(world: World): Promise<string> {
  const { spec, ...cluster } = world.cluster('one', [1], [])
  const controlPlane = { ...spec.controlPlane, deletionPolicy: 'preserve' }
  await world.objects.apply({ ...cluster, spec: { controlPlane } })
  await settled(world, 'one')
  await world.objects.remove(Cluster, 'one')
  await gone(world)
  return spec.controlPlane.endpoint
}

async function makeAgain(world: World, machines: readonly number[], endpoint: string) {
  const { spec, ...cluster } = world.cluster('one', machines, [])
  const controlPlane = { ...spec.controlPlane, endpoint }
  await world.objects.apply({ ...cluster, spec: { controlPlane } })
}

export const letGoAndRuns: Life = {
  title: 'a cluster that was let go runs on, and is made again under its name on another machine',
  machines: 2,
  live: async (world) => {
    const endpoint = await letGo(world)
    // Or it joins, now and then, before anybody begins anything.
    world.fault('registry-refuses', 2, 'image=etcd')
    await makeAgain(world, [2], endpoint)
    await world.pass(6)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=False (ClusterRunsAlready)'],
  mutants: [
    {
      title: 'does not mind who answers with its keys',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: { plan: planBy(without(without(rules, 'runsAlready'), 'apiIsSilent')) },
        }),
      said: 'bootstraps instead of 1',
    },
    {
      title: 'gives a machine the configuration of a cluster that it knows nothing of',
      controllers: (ports) =>
        controllersWith(ports, { controlPlane: { plan: planBy(without(rules, 'runsAlready')) } }),
      said: 'not in the end: machine',
    },
  ],
}

export const letGoAndSilent: Life = {
  title: 'a cluster that was let go is out of reach, and is made again with one machine more',
  machines: 2,
  live: async (world) => {
    const endpoint = await letGo(world)
    world.fault('unreachable', 1)
    await makeAgain(world, [2, 1], endpoint)
    await world.pass(6)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=False (WaitingForMachines)'],
  mutants: [
    {
      title: 'begins with keys of whomever before each of its machines has answered',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: { plan: planBy(without(rules, 'allHaveAnswered')) },
        }),
      said: 'a cluster was begun 2 times',
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
