import { ControlPlane } from '#api/control-plane.ts'
import { UPGRADE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { plan, planBy, rules } from '#controllers/machine/plan.ts'
import type { World as MachineWorld } from '#controllers/machine/world.ts'
import { controllersWith } from '#operator/controllers.ts'
import { unfetched } from './mutants-lies.ts'
import { type Life, settled, soon } from './mutants-life.ts'
import { drainingFirst, instead } from './mutants-rules.ts'
import { controlPlaneIn, watchedBriefly, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import { workloadsOf } from './workloads.ts'
import type { World } from './world.ts'

// Upgrades in the way that there is since v1.13: what is installed and what is booted are told one after the other.

const POOL = [Worker, 'pool'] as const
const VERSIONS = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }

const saysOf = async (world: World): Promise<string | undefined> =>
  (await conditionOf(world, [Machine, `pool-${world.address(2)}`], 'Ready'))?.reason

const versionOf = (world: World): string | undefined =>
  world.fleet.machine(world.address(2))?.talosVersion

/** A control plane of one, and a worker with a pod that no budget lets leave it, in the middle of its upgrade. */
async function untilHeld(world: World): Promise<void> {
  await world.bringSecrets('one')
  await world.objects.apply(watchedBriefly(controlPlaneIn(world, 'one', [1])))
  const pool = workerIn(world, { name: 'pool', joins: 'one', machines: [2] })
  await world.objects.apply(watchedBriefly(pool))
  await settled(world, POOL)
  using workloads = await workloadsOf(world, 'one')
  await workloads.deploy('web', 1)
  await workloads.budget('web', 1)
  await soon(world, async () => (await workloads.nodesOf('web')).length === 1)
  await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.13.1' } })
  await world.objects.patch(Worker, 'pool', { spec: { version: 'v1.13.1' } })
  await soon(world, async () => (await saysOf(world)) === 'Draining')
}

/** As if nothing had been said of an installation since it was told. */
const untold = (machine: Machine): Machine => {
  const { [UPGRADE]: text, ...annotations } = machine.metadata.annotations ?? {}
  if (text === undefined) return machine
  const told = { [UPGRADE]: text.replace(/^installed /, 'installing ') }
  return { ...machine, metadata: { ...machine.metadata, annotations: { ...annotations, ...told } } }
}

/** As if nobody had told it anything, when it runs what it is to. */
const unaware = (machine: Machine, { seen }: MachineWorld): Machine => {
  const { [UPGRADE]: _, ...annotations } = machine.metadata.annotations ?? {}
  return seen.is === 'member' && seen.version === machine.spec?.version
    ? { ...machine, metadata: { ...machine.metadata, annotations } }
    : machine
}

/** What is installed waits for a drain, and the operator starts anew meanwhile. */
export const heldByBudget: Life = {
  title: 'a worker has installed another Talos, and cannot be drained',
  machines: 2,
  versions: VERSIONS,
  live: async (world) => {
    await untilHeld(world)
    for (let times = 0; times < 3; times++) {
      world.killNow()
      await world.pass(1.5)
    }
    using workloads = await workloadsOf(world, 'one')
    await workloads.budget('web', undefined)
    await soon(world, () => versionOf(world) === 'v1.13.1')
    await settled(world, POOL)
  },
  ...{ bootstraps: 1, resets: 0, installs: 2 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'does not write down that a machine has installed',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: (machine, world, now) => plan(untold(machine), world, now) },
        }),
      said: 'installs instead of 2',
    },
    {
      title: 'installs what a machine may not have',
      controllers: (ports) => controllersWith({ ...ports, machines: unfetched(ports.machines) }),
      said: 'nobody has seen that it can fetch',
    },
    {
      title: 'drains a machine before it has fetched what it is to boot',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: planBy(instead(rules, 'pullImage', drainingFirst)) },
        }),
      said: 'its node was drained before it had',
    },
    {
      title: 'boots what is installed without a drain',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: {
            plan: planBy(
              instead(
                rules,
                'bootNew',
                (rule) => (machine, world, now) =>
                  rule(machine, { ...world, node: undefined }, now),
              ),
            ),
          },
        }),
      said: 'is still on its node',
    },
  ],
}

/** Its version is taken back before it has booted the other one, and then it loses power. */
export const takenBack: Life = {
  title: 'a worker has installed another Talos, which is not wanted any more',
  machines: 2,
  versions: VERSIONS,
  live: async (world) => {
    await untilHeld(world)
    await world.objects.patch(Worker, 'pool', { spec: { version: 'v1.13.0' } })
    await settled(world, POOL)
    const machine = world.fleet.machine(world.address(2))
    machine?.powerOff()
    machine?.powerOn()
    // Its node may not have been missed: then it is looked at when that is due, every five minutes.
    await world.pass(10)
    await settled(world, POOL)
  },
  ...{ bootstraps: 1, resets: 0, installs: 3 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'lets a machine boot what is not wanted any more',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: (machine, world, now) => plan(unaware(machine, world), world, now) },
        }),
      said: 'Ready=False (DowngradeRefused)',
    },
  ],
}
