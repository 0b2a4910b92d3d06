import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { planBy, rules } from '#controllers/worker/plan.ts'
import { controllersWith } from '#operator/controllers.ts'
import { type Life, settled, soon } from './mutants-life.ts'
import { instead } from './mutants-rules.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

const POOLS = ['pool', 'other'] as const

const setPaused = ({ objects }: World, paused: boolean) =>
  objects.patch(Worker, 'other', { spec: { rolloutStrategy: { paused } } })

/** The worker of one pool goes back to what it had, before that of the other one has its turn. */
export const fellBackElsewhere: Life = {
  title: 'a worker of another pool boots its old Talos after an upgrade',
  machines: 3,
  live: async (world) => {
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    for (const [at, name] of POOLS.entries()) {
      await world.objects.apply(workerIn(world, { name, joins: 'one', machines: [2 + at] }))
    }
    for (const name of POOLS) await settled(world, [Worker, name])
    world.fault('falls-back', 2)
    await setPaused(world, true)
    await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.6.8' } })
    for (const name of POOLS) {
      await world.objects.patch(Worker, name, { spec: { version: 'v1.6.8' } })
    }
    const failed = [Machine, `pool-${world.address(2)}`] as const
    await soon(
      world,
      async () => (await conditionOf(world, failed, 'Ready'))?.reason === 'UpgradeFailed',
    )
    await setPaused(world, false)
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0, installs: 2 },
  ends: ['Ready=False (UpgradeFailed)', 'Ready=False (RolloutStopped)'],
  mutants: [
    {
      title: 'upgrades the workers of a pool though one of another pool has gone back',
      controllers: (ports) =>
        controllersWith(ports, {
          worker: {
            plan: planBy(
              instead(
                rules,
                'giveTurns',
                (rule) => (worker, world) => rule(worker, { ...world, elsewhere: [] }),
              ),
            ),
          },
        }),
      said: 'installs instead of 2',
    },
  ],
}
