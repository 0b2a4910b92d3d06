import { ControlPlane } from '#api/control-plane.ts'
import { CONSENT } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { planBy, rules } from '#controllers/machine/plan.ts'
import { tokenFor } from '#controllers/machine/rules/configuration.ts'
import { controllersWith } from '#operator/controllers.ts'
import { withPatch } from './changed-configs.ts'
import { changeElsewhere } from './changed-elsewhere.ts'
import { aForeignCluster, importedCluster } from './foreign-cluster.ts'
import { overOldConnections } from './mutants-lies.ts'
import { type Life, settled, soon } from './mutants-life.ts'
import { instead } from './mutants-rules.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

type Rule = (typeof rules)[number]

const CONTROL_PLANE = [ControlPlane, 'one'] as const
const POOL = [Worker, 'pool'] as const
const LIVE = { machine: { sysctls: { 'vm.swappiness': '1' } } }

/** Rules that are shown another machine or world than there is. */
const shown =
  (names: readonly string[], show: (...given: Parameters<Rule>) => Parameters<Rule>) =>
  (order: readonly Rule[]): readonly Rule[] =>
    names.reduce(
      (changed, name) =>
        instead(
          changed,
          name,
          (rule) =>
            (...given) =>
              rule(...show(...given)),
        ),
      order,
    )

/** As if somebody had said that what others did to machines is to be put right. */
const correcting = shown(['waitsForTurn', 'applyConfig'], (machine, world, now) => {
  const { parent } = world
  if (parent.is !== 'there' || !parent.controlPlane.spec) return [machine, world, now]
  const { spec } = parent.controlPlane
  const rolloutStrategy = { ...spec.rolloutStrategy, configDrift: 'correct' as const }
  const controlPlane = { ...parent.controlPlane, spec: { ...spec, rolloutStrategy } }
  return [machine, { ...world, parent: { ...parent, controlPlane } }, now]
})

/** As if somebody had agreed to whatever is to be changed. */
const agreeing = shown(
  ['waitsForConsent', 'waitsForTurn', 'applyConfig'],
  (machine, world, now) => {
    const annotations = { ...machine.metadata.annotations, [CONSENT]: tokenFor(world) }
    return [{ ...machine, metadata: { ...machine.metadata, annotations } }, world, now]
  },
)

/** Writes down what a machine has for a try, and does not have it kept. */
const forgetful =
  (noteConfig: Rule): Rule =>
  (...given) => {
    const found = noteConfig(...given)
    const steps = found?.steps?.map((step) =>
      step.do === 'keepConfig' ? { do: 'noteConfig' as const, config: step.config } : step,
    )
    return found && { ...found, ...(steps && { steps }) }
  }

/** Somebody else changes a machine, and nobody said that this is to be put right. */
export const drifted: Life = {
  title: 'somebody changes the configuration of a machine by hand',
  machines: 1,
  live: async (world) => {
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await settled(world, CONTROL_PLANE)
    await changeElsewhere(world, 1, LIVE)
    await world.pass(12)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Drifted=True'],
  mutants: [
    {
      title: 'puts right what others did, though it is only to say so',
      controllers: (ports) =>
        controllersWith(ports, { machine: { plan: planBy(correcting(rules)) } }),
      said: 'instead: TalosMachine one-127.80.34.1: Available Reachable=True (Answers) Ready=True',
    },
  ],
}

/** A worker that somebody else configured is taken over, with a spec that asks for something else. */
export const unasked: Life = {
  title: 'a worker is imported that would be configured otherwise',
  machines: 2,
  live: async (world) => {
    const shape = { controlPlanes: [1], workers: [2] }
    await aForeignCluster(world, shape)
    const { spec, ...cluster } = importedCluster(world, shape)
    const { worker } = world.cluster('one', [1], [2]).spec
    await world.objects.apply({ ...cluster, spec: { ...spec, worker } })
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=False (WaitsForConsent)'],
  mutants: [
    {
      title: 'changes what it did not configure, and asks nobody',
      controllers: (ports) =>
        controllersWith(ports, { machine: { plan: planBy(agreeing(rules)) } }),
      said: 'not in the end: TalosMachine one-127.80.34.2: Available Reachable=True (Answers) Ready=False (WaitsForConsent)',
    },
  ],
}

const poolIn = (world: World) => workerIn(world, { name: 'pool', joins: 'one', machines: [2] })

async function withWorker(world: World): Promise<void> {
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await world.objects.apply(poolIn(world))
  await settled(world, POOL)
}

/** The network of a worker is changed, and it can be reached as before. */
export const tried: Life = {
  title: 'the network of a worker is changed',
  machines: 2,
  live: async (world) => {
    await withWorker(world)
    const patch = { machine: { network: { nameservers: ['192.0.2.53'] } } }
    await world.objects.apply(withPatch(poolIn(world), patch))
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['TalosMachine pool-127.80.34.2: Available Reachable=True (Answers) Ready=True'],
  mutants: [
    {
      title: 'does not have a machine keep what was only tried',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: planBy(instead(rules, 'noteConfig', forgetful)) },
        }),
      said: 'instead: TalosMachine pool-127.80.34.2: Available Drifted=True',
    },
  ],
}

/** With what a worker is given, nobody can call it any more but who does already. */
export const shutOff: Life = {
  title: 'the network of a worker is changed so that it lets nobody in',
  machines: 2,
  live: async (world) => {
    await withWorker(world)
    const patch = { apiVersion: 'v1alpha1', kind: 'NetworkDefaultActionConfig', ingress: 'block' }
    await world.objects.apply(withPatch(poolIn(world), patch))
    const object = [Machine, `pool-${world.address(2)}`] as const
    await soon(world, async () => {
      const ready = await conditionOf(world, object, 'Ready')
      return ready?.reason === 'ConfigRejected'
    })
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=False (ConfigRejected)'],
  mutants: [
    {
      title: 'has a machine keep what it was reached with before',
      controllers: (ports) =>
        controllersWith({ ...ports, machines: overOldConnections(ports.machines) }),
      said: 'not in the end: TalosMachine pool-127.80.34.2: Available Reachable=True (Answers) Ready=False (ConfigRejected)',
    },
  ],
}
