import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { planBy, rules } from '#controllers/control-plane/plan.ts'
import { planBy as machinePlanBy, rules as machineRules } from '#controllers/machine/plan.ts'
import { secretsNameOf } from '#engine/cluster-secrets.ts'
import { controllersWith } from '#operator/controllers.ts'
import { no } from '#runtime/plan.ts'
import { untried } from './mutants-lies.ts'
import { type Life, settled } from './mutants-life.ts'
import { instead, without } from './mutants-rules.ts'
import { controlPlaneIn } from './parts.ts'
import type { World } from './world.ts'

type ControlPlaneRule = (typeof rules)[number]

const tellsToken: ControlPlaneRule = (_controlPlane, { means: { bundle } }) => ({
  state: 'Bootstrapped',
  ready: no('Oh', `the token is ${bundle?.cluster.secret.open()}`),
})

export const creation: Life = {
  title: 'a cluster is made',
  machines: 2,
  live: async (world) => {
    await world.objects.apply(world.cluster('one', [1], [2]))
    await settled(world, 'one')
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['TalosCluster one:  Progressing=False (Settled) Ready=True'],
  mutants: [
    {
      title: 'tells a secret in a condition',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: { plan: planBy(instead(rules, 'machinesReady', () => tellsToken)) },
        }),
      said: 'a secret is in TalosControlPlane one',
    },
    {
      title: 'does not try a configuration before it is given',
      controllers: (ports) => controllersWith({ ...ports, machines: untried(ports.machines) }),
      said: 'the machine took no dry run of it before',
    },
    {
      title: 'does not write down whose a machine is before it is configured',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: { plan: machinePlanBy(without(machineRules, 'claim')) },
        }),
      said: 'not in the end: TalosCluster one:  Progressing=False (Settled) Ready=True',
    },
  ],
}

/** Takes the Secret away, whoever holds it. */
async function loseSecret(world: World, name: string): Promise<void> {
  await world.objects.patch(Secret, name, { metadata: { finalizers: null } })
  await world.objects.remove(Secret, name)
}

const makesNewOnes =
  (secrets: ControlPlaneRule): ControlPlaneRule =>
  (controlPlane, world) =>
    world.secrets.is === 'refused'
      ? {
          steps: [{ do: 'createSecrets', name: secretsNameOf(controlPlane), from: 'generated' }],
          ready: no('CreatingSecrets', 'they are made'),
        }
      : secrets(controlPlane, world)

export const lostSecrets: Life = {
  title: 'the secrets of a cluster are lost',
  machines: 1,
  live: async (world) => {
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await settled(world, [ControlPlane, 'one'])
    await world.stopOperator()
    await loseSecret(world, 'one-secrets')
    await loseSecret(world, 'one-state')
    world.startOperator()
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['SecretsLost'],
  mutants: [
    {
      title: 'makes new ones when it is not known that there never were any',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: { plan: planBy(instead(rules, 'secrets', makesNewOnes)) },
        }),
      said: 'the secrets one-secrets were made 2 times',
    },
  ],
}
