import { ControlPlane } from '#api/control-plane.ts'
import { KUBELETS } from '#api/labels.ts'
import { Worker } from '#api/worker.ts'
import {
  planBy as controlPlanePlanBy,
  rules as controlPlaneRules,
} from '#controllers/control-plane/plan.ts'
import { planBy, rules } from '#controllers/machine/plan.ts'
import { planBy as workerPlanBy, rules as workerRules } from '#controllers/worker/plan.ts'
import { versionsIn } from '#machineconfig/versions/kubernetes-images.ts'
import { controllersWith } from '#operator/controllers.ts'
import { type Life, type Mutant, settled, soon } from './mutants-life.ts'
import { instead, without } from './mutants-rules.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import type { World } from './world.ts'

type ControlPlaneRule = (typeof controlPlaneRules)[number]

const POOL = [Worker, 'pool'] as const
const OTHER = [Worker, 'other'] as const
const [BEHIND, NEXT] = ['v1.28.5', 'v1.29.7']
const LONG_MINUTES = 20

/** A control plane of one, a pool whose kubelet is behind, and another one. */
async function withTwoPools(world: World): Promise<void> {
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  const pool = workerIn(world, { name: 'pool', joins: 'one', machines: [2] })
  await world.objects.apply({ ...pool, spec: { ...pool.spec, kubeVersion: BEHIND } })
  await world.objects.apply(workerIn(world, { name: 'other', joins: 'one', machines: [3] }))
  await settled(world, POOL)
  await settled(world, OTHER)
}

const raiseKubelets = ({ objects }: World) =>
  objects.patch(...POOL, { spec: { kubeVersion: NEXT } })

const raiseTalos = async ({ objects }: World) => {
  await objects.patch(ControlPlane, 'one', { spec: { version: 'v1.6.8' } })
  await objects.patch(...OTHER, { spec: { version: 'v1.6.8' } })
}

const machineAt = (world: World, number: number) => world.fleet.machine(world.address(number))

const hasKubelet = (world: World): boolean => {
  const { config } = machineAt(world, 2) ?? {}
  return config !== undefined && versionsIn(config).kubelet === NEXT
}

const hasTalos = (world: World): boolean => machineAt(world, 3)?.talosVersion === 'v1.6.8'

const both = (world: World) => soon(world, () => hasKubelet(world) && hasTalos(world), LONG_MINUTES)

const ofControlPlane =
  (order: readonly ControlPlaneRule[]): Mutant['controllers'] =>
  (ports) =>
    controllersWith(ports, { controlPlane: { plan: controlPlanePlanBy(order) } })

/** Knows of no kubelets that are moved when it gives turns. */
const unaware =
  (giveTurn: ControlPlaneRule): ControlPlaneRule =>
  (controlPlane, world) => {
    const { [KUBELETS]: _phase, ...annotations } = controlPlane.metadata.annotations ?? {}
    return giveTurn({ ...controlPlane, metadata: { ...controlPlane.metadata, annotations } }, world)
  }

const ENDS = {
  ...{ bootstraps: 1, resets: 0, installs: 2 },
  ends: ['TalosWorker pool: Ready Ready=True', 'TalosWorker other: Ready Ready=True'],
}

/** Another pool is in the middle of it when kubelets are raised. */
export const besideTalos: Life = {
  title: 'workers are to get other kubelets while Talos is upgraded',
  machines: 3,
  live: async (world) => {
    await withTwoPools(world)
    await raiseTalos(world)
    await soon(world, () => machineAt(world, 3)?.installedVersion === 'v1.6.8')
    await raiseKubelets(world)
    await both(world)
    await settled(world, POOL)
    await settled(world, OTHER)
  },
  ...ENDS,
  mutants: [
    {
      title: 'gives workers other kubelets whenever they wait for them',
      controllers: (ports) =>
        controllersWith(ports, {
          worker: {
            plan: (worker, world, now) =>
              workerPlanBy(workerRules)(worker, { ...world, mayKubeletsMove: true }, now),
          },
          machine: {
            plan: (machine, world, now) =>
              planBy(rules)(machine, { ...world, mayKubeletsMove: true }, now),
          },
        }),
      said: 'it gets another Kubernetes while 127.80.35.3 gets another Talos',
    },
    {
      title: 'lets no worker have another kubelet',
      controllers: ofControlPlane(without(controlPlaneRules, 'kubelets')),
      said: 'Ready=False (KubernetesUpgradePending)',
    },
  ],
}

/** A kubelet has just been moved when another Talos is asked for. */
export const besideKubelets: Life = {
  title: 'Talos is to be upgraded while workers get other kubelets',
  machines: 3,
  live: async (world) => {
    await withTwoPools(world)
    await raiseKubelets(world)
    await soon(world, () => hasKubelet(world))
    await raiseTalos(world)
    await both(world)
    await settled(world, POOL)
    await settled(world, OTHER)
  },
  ...ENDS,
  mutants: [
    {
      title: 'upgrades Talos while workers get other kubelets',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: {
            plan: controlPlanePlanBy(instead(controlPlaneRules, 'giveTurn', unaware)),
          },
          worker: {
            plan: (worker, world, now) =>
              workerPlanBy(workerRules)(worker, { ...world, isKubernetesMoving: false }, now),
          },
          machine: {
            plan: (machine, world, now) =>
              planBy(rules)(machine, { ...world, isKubernetesMoving: false }, now),
          },
        }),
      said: 'it gets another Talos while 127.80.35.2 gets another kubelet',
    },
    {
      title: 'never says that workers have their kubelets',
      controllers: ofControlPlane(without(controlPlaneRules, 'endKubelets')),
      said: '0 installs instead of 2',
    },
  ],
}
