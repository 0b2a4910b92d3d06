import { Cluster } from '#api/cluster.ts'
import {
  planBy as controlPlanePlanBy,
  rules as ofControlPlane,
} from '#controllers/control-plane/plan.ts'
import { planBy, rules } from '#controllers/machine/plan.ts'
import { controllersWith } from '#operator/controllers.ts'
import { no } from '#runtime/plan.ts'
import { aForeignCluster, importedCluster } from './foreign-cluster.ts'
import { gone, type Life, settled } from './mutants-life.ts'
import { instead, without } from './mutants-rules.ts'

type Rule = (typeof rules)[number]

/** Makes a machine that runs ours, and does not note that somebody else made it. */
const unmarked =
  (adopt: Rule): Rule =>
  (machine, world, now) => {
    const [step] = adopt(machine, world, now)?.steps ?? []
    if (step?.do !== 'adopt') return undefined
    const ready = no('Importing', 'it is taken over')
    return { steps: [{ do: 'claim', uuid: step.uuid }], ready, pace: 'soon' }
  }

/** A cluster is imported, and deleted. */
export const letGo: Life = {
  title: 'a cluster that somebody else made is imported, and let go again',
  machines: 2,
  live: async (world) => {
    const shape = { controlPlanes: [1], workers: [2] }
    await aForeignCluster(world, shape)
    await world.objects.apply(importedCluster(world, shape))
    await settled(world, 'one')
    await world.objects.remove(Cluster, 'one')
    await gone(world)
    await world.pass(1)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['running true controlplane with etcd'],
  mutants: [
    {
      title: 'wipes what it did not configure',
      controllers: (ports) =>
        controllersWith(ports, { machine: { plan: planBy(instead(rules, 'adopt', unmarked)) } }),
      said: '2 resets instead of 0',
    },
  ],
}

/** The list has one control plane too few. */
export const otherwise: Life = {
  title: 'a cluster is imported that is not as it is described',
  machines: 2,
  live: async (world) => {
    await aForeignCluster(world, { controlPlanes: [1, 2] })
    await world.objects.apply(importedCluster(world, { controlPlanes: [1] }))
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=False (ImportDiffers)'],
  mutants: [
    {
      title: 'takes it over before all of it was seen',
      controllers: (ports) =>
        controllersWith(ports, {
          // That its API answers would stop it as well.
          controlPlane: {
            plan: controlPlanePlanBy(
              without(without(ofControlPlane, 'importCluster'), 'runsAlready'),
            ),
          },
        }),
      said: 'instead: TalosControlPlane one: Ready',
    },
  ],
}

/** The only machine that is listed is an empty one, and the cluster itself is off. */
export const empty: Life = {
  title: 'a cluster is imported, and the list has a machine that is none of it',
  machines: 2,
  live: async (world) => {
    await aForeignCluster(world, { controlPlanes: [1] })
    world.fault('unreachable', 1)
    const { spec, ...cluster } = importedCluster(world, { controlPlanes: [2] })
    const { endpoint } = importedCluster(world, { controlPlanes: [1] }).spec.controlPlane
    await world.objects.apply({
      ...cluster,
      spec: { controlPlane: { ...spec.controlPlane, endpoint } },
    })
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=False (ImportDiffers)'],
  mutants: [
    {
      title: 'begins it a second time',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: {
            plan: controlPlanePlanBy(without(without(ofControlPlane, 'importCluster'), 'adopt')),
          },
          machine: { plan: planBy(without(rules, 'importing')) },
        }),
      said: '2 bootstraps instead of 1',
    },
  ],
}
