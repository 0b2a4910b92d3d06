import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { plan } from '#controllers/machine/plan.ts'
import type { World as MachineWorld } from '#controllers/machine/world.ts'
import { wantedSchematic } from '#engine/installer.ts'
import { upgradeRecord } from '#engine/upgrade-record.ts'
import { controllersWith } from '#operator/controllers.ts'
import { type Life, settled, soon } from './mutants-life.ts'
import { controlPlaneIn, watchedBriefly, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

// Upgrades to another schematic at the version of Talos that runs.

const POOL = [Worker, 'pool'] as const
const [A, B] = ['a'.repeat(64), 'b'.repeat(64)]
const imageOf = (schematic: string) => `factory.talos.dev/metal-installer/${schematic}`

/** A control plane of one, and two workers of a schematic, that are to be of another. */
async function edited(world: World, breaking: () => unknown = () => undefined): Promise<void> {
  await world.objects.apply(watchedBriefly(controlPlaneIn(world, 'one', [1])))
  const { spec, ...pool } = workerIn(world, { name: 'pool', joins: 'one', machines: [2, 3] })
  const metalSpec = { ...spec.metalSpec, machineSpec: { image: imageOf(A) } }
  await world.objects.apply(watchedBriefly({ ...pool, spec: { ...spec, metalSpec } }))
  await settled(world, POOL)
  breaking()
  await world.objects.patch(...POOL, {
    spec: { metalSpec: { machineSpec: { image: imageOf(B) } } },
  })
}

/** As if a machine ran the schematic that it is to, whatever it says. */
function believing(machine: Machine, world: MachineWorld): MachineWorld {
  const { seen } = world
  const schematic = wantedSchematic(machine)
  return seen.is === 'member' && seen.boot
    ? { ...world, seen: { ...seen, boot: { ...seen.boot, schematic } } }
    : world
}

const blind: Life['mutants'][number]['controllers'] = (ports) =>
  controllersWith(ports, {
    machine: {
      plan: (machine, world, now) => plan(machine, believing(machine, world), now),
    },
  })

/** Two workers get another schematic. */
export const otherSchematic: Life = {
  title: 'workers are to be of another schematic, at the same version of Talos',
  machines: 3,
  live: async (world) => {
    await edited(world)
    await soon(world, () =>
      [2, 3].every((at) => world.fleet.machine(world.address(at))?.schematic === B),
    )
    await settled(world, POOL)
  },
  ...{ bootstraps: 1, resets: 0, installs: 2 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'does not look at the schematic that runs',
      controllers: blind,
      said: '0 installs instead of 2',
    },
  ],
}

/** The first of them comes back as it was. */
export const oldSchematic: Life = {
  title: 'a worker boots its old schematic after an upgrade to another one',
  machines: 3,
  live: async (world) => {
    await edited(world, () => world.fault('falls-back', 2))
    const first = [Machine, `pool-${world.address(2)}`] as const
    await soon(
      world,
      async () => (await conditionOf(world, first, 'Ready'))?.reason === 'UpgradeFailed',
    )
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0, installs: 1 },
  ends: ['Ready=False (UpgradeFailed)', 'Ready=False (UpgradePending)'],
  mutants: [
    {
      title: 'does not look which schematic a machine came back with',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: {
            plan: (machine, world, now) =>
              plan(machine, hasRebooted(machine, world) ? believing(machine, world) : world, now),
          },
        }),
      said: 'installs instead of 1',
    },
  ],
}

/** Whether it booted since it was told to install. */
const hasRebooted = (machine: Machine, { seen }: MachineWorld): boolean => {
  const boot = upgradeRecord(machine)?.boot
  return boot !== undefined && seen.is === 'member' && seen.boot?.id !== boot
}
