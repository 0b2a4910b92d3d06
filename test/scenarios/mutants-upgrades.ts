import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { planBy, rules } from '#controllers/machine/plan.ts'
import { controllersWith } from '#operator/controllers.ts'
import { type Life, type Mutant, settled, soon } from './mutants-life.ts'
import { drainingFirst, instead, without } from './mutants-rules.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import { workloadsOf } from './workloads.ts'
import type { World } from './world.ts'

type Rule = (typeof rules)[number]

const POOL = [Worker, 'pool'] as const

const doesWithout =
  (rule: string): Mutant['controllers'] =>
  (ports) =>
    controllersWith(ports, { machine: { plan: planBy(without(rules, rule)) } })

/** A control plane of one, and two workers. */
async function withPool(world: World): Promise<void> {
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [2, 3] }))
  await settled(world, POOL)
}

const setVersion = async ({ objects }: World, version: string) => {
  await objects.patch(ControlPlane, 'one', { spec: { version } })
  await objects.patch(Worker, 'pool', { spec: { version } })
}

const saysOf = async (world: World, number: number): Promise<string | undefined> =>
  (await conditionOf(world, [Machine, `pool-${world.address(number)}`], 'Ready'))?.reason

/** A rule that sees no node. */
const nodeless =
  (rule: Rule): Rule =>
  (machine, world, now) =>
    rule(machine, { ...world, node: undefined }, now)

/** Says that it is done as soon as a machine answers again, whatever runs on it. */
const content: Rule = (_machine, { seen }) =>
  seen.is === 'member' ? { steps: [{ do: 'noteUpgraded', image: '' }], pace: 'soon' } : undefined

/** Two workers on which something runs, with a budget. */
export const upgraded: Life = {
  title: 'the Talos of workers is upgraded',
  machines: 3,
  live: async (world) => {
    await withPool(world)
    using workloads = await workloadsOf(world, 'one')
    await workloads.deploy('web', 2)
    await workloads.budget('web', 1)
    await soon(world, async () => (await workloads.nodesOf('web')).length === 2)
    await setVersion(world, 'v1.6.8')
    await soon(world, () =>
      [2, 3].every((at) => world.fleet.machine(world.address(at))?.talosVersion === 'v1.6.8'),
    )
    await settled(world, POOL)
  },
  ...{ bootstraps: 1, resets: 0, installs: 3 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'upgrades a machine before it is known that it can fetch the image',
      controllers: doesWithout('pullImage'),
      said: 'nobody has seen that it can fetch',
    },
    {
      title: 'drains a machine before it is known that it can fetch the image',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: planBy(instead(rules, 'pullImage', drainingFirst)) },
        }),
      said: 'its node was drained before it had',
    },
    {
      title: 'upgrades a machine without a drain',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: planBy(instead(rules, 'upgradeAtOnce', nodeless)) },
        }),
      said: 'is still on its node',
    },
  ],
}

/** The first of two goes back to what it had. */
export const fellBack: Life = {
  title: 'a worker boots its old Talos after an upgrade',
  machines: 3,
  live: async (world) => {
    await withPool(world)
    world.fault('falls-back', 2)
    await setVersion(world, 'v1.6.8')
    await soon(world, async () => (await saysOf(world, 2)) === 'UpgradeFailed')
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0, installs: 2 },
  ends: ['Ready=False (UpgradeFailed)', 'Ready=False (UpgradePending)'],
  mutants: [
    {
      title: 'upgrades a machine again that has gone back to what it had',
      controllers: doesWithout('upgradeFailed'),
      said: 'it went back to v1.6.7 after it was told the same',
    },
    {
      title: 'does not look what a machine has become',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: {
            plan: planBy(
              instead(rules, 'upgraded', (rule) => (machine, world, now) => {
                const found = rule(machine, world, now)
                return found && content(machine, world, now)
              }),
            ),
          },
        }),
      said: 'it went back to v1.6.7 after it was told the same',
    },
  ],
}

/** An older one than runs. */
export const older: Life = {
  title: 'workers are to have an older Talos than they have',
  machines: 3,
  live: async (world) => {
    await withPool(world)
    await setVersion(world, 'v1.6.6')
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0, installs: 0 },
  ends: ['Ready=False (DowngradeRefused)'],
  mutants: [
    {
      title: 'installs an older version than runs',
      controllers: doesWithout('versionRefused'),
      said: 'installs instead of 0',
    },
  ],
}
