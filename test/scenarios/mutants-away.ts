import { Worker } from '#api/worker.ts'
import { planBy, rules } from '#controllers/machine/plan.ts'
import { planBy as workerPlanBy, rules as workerRules } from '#controllers/worker/plan.ts'
import { isWell, waitingForTurn } from '#engine/pending.ts'
import { givingTo } from '#engine/turn-steps.ts'
import { controllersWith } from '#operator/controllers.ts'
import { withPatch } from './changed-configs.ts'
import { type Life, settled, soon } from './mutants-life.ts'
import { instead } from './mutants-rules.ts'
import { controlPlaneIn, workerIn } from './parts.ts'

type Rule = (typeof rules)[number]
type WorkerRule = (typeof workerRules)[number]

const BY_REBOOT = { machine: { env: { GRPC_GO_LOG_SEVERITY_LEVEL: 'info' } } }

/** A turn is over as soon as the machine is away. */
const hurried =
  (rule: Rule): Rule =>
  (machine, world, now) => {
    const { turn } = world
    const found = rule(machine, world, now)
    return found && turn !== undefined
      ? { ...found, steps: [{ do: 'endTurn', turn }], pace: 'soon' }
      : found
  }

/** Gives one turn after the other, and asks nothing but whether another machine has one. */
const oneByOne: WorkerRule = (_worker, { turns, machines }) => {
  const waiting = waitingForTurn(machines).filter(isWell)
  const next = waiting[(turns.turns?.last ?? 0) % waiting.length]
  return turns.turns?.held.length === 0 && next
    ? { steps: [givingTo([next], turns.turns)] }
    : undefined
}

/** What is written down of turns is in order, and two are down all the same. */
export const away: Life = {
  title: 'workers on which nothing runs reboot for a change',
  machines: 3,
  live: async (world) => {
    const pool = workerIn(world, { name: 'pool', joins: 'one', machines: [2, 3] })
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await world.objects.apply(pool)
    await settled(world, [Worker, 'pool'])
    const stop = world.boundary.onCall(() => {
      const call = world.history.at(-1)
      if (call?.to !== 'machine' || call.mode !== 'reboot') return
      stop()
      // It takes its time.
      world.clock.after(500, () => world.fleet.machine(call.address)?.powerOff())
      world.clock.after(60_000, () => world.fleet.machine(call.address)?.powerOn())
    })
    await world.objects.apply(withPatch(pool, BY_REBOOT))
    await soon(world, () =>
      [2, 3].every((at) =>
        JSON.stringify(world.fleet.machine(world.address(at))?.config?.documents ?? []).includes(
          'SEVERITY',
        ),
      ),
    )
    await settled(world, [Worker, 'pool'])
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=True'],
  mutants: [
    {
      title: 'has the next worker reboot before the last one is back',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: planBy(instead(rules, 'silent', hurried)) },
          worker: { plan: workerPlanBy(instead(workerRules, 'giveTurns', () => oneByOne)) },
        }),
      said: 'of a pool went down for us and was not ready since, and 1 may',
    },
  ],
}
