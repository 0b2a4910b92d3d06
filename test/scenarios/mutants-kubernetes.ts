import { ControlPlane } from '#api/control-plane.ts'
import { KUBE_UPGRADE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import {
  planBy as controlPlanePlanBy,
  rules as controlPlaneRules,
} from '#controllers/control-plane/plan.ts'
import { planBy, rules } from '#controllers/machine/plan.ts'
import { planBy as workerPlanBy, rules as workerRules } from '#controllers/worker/plan.ts'
import { eachOf, kubernetesRecord } from '#engine/kubernetes-record.ts'
import { versionsIn } from '#machineconfig/versions/kubernetes-images.ts'
import { controllersWith } from '#operator/controllers.ts'
import { onMachines } from './a-control-plane.ts'
import { unfetched } from './mutants-lies.ts'
import { type Life, settled, soon } from './mutants-life.ts'
import { instead, without } from './mutants-rules.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

type ControlPlaneRule = (typeof controlPlaneRules)[number]
type WorkerRule = (typeof workerRules)[number]

const CONTROL_PLANE = [ControlPlane, 'one'] as const
const POOL = [Worker, 'pool'] as const
const NEXT = 'v1.29.8'
// Five parts on each machine, and each is watched for half a minute.
const LONG_MINUTES = 20

const setKubernetes = async ({ objects }: World, kubeVersion: string) => {
  await objects.patch(ControlPlane, 'one', { spec: { kubeVersion } })
  await objects.patch(Worker, 'pool', { spec: { kubeVersion } })
}

/** Two machines of a control plane, and a worker. */
async function twoAndOne(world: World): Promise<void> {
  await world.objects.apply(onMachines(world, [1, 2]))
  await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [3] }))
  await settled(world, POOL)
}

async function oneAndOne(world: World): Promise<void> {
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [2] }))
  await settled(world, POOL)
}

/** Whether all kubelets are of that version. */
const have = ({ fleet }: World, version: string): boolean =>
  fleet.machines.every(({ config }) => config && versionsIn(config).kubelet === version)

const stageIn = async ({ objects }: World) => {
  const found = await objects.find(...CONTROL_PLANE)
  return found && kubernetesRecord(found)?.stage
}

/** A rule of control planes instead of the one for Kubernetes. */
const decidedBy =
  (make: (rule: ControlPlaneRule) => ControlPlaneRule) =>
  (order: readonly ControlPlaneRule[] = controlPlaneRules) => ({
    plan: controlPlanePlanBy(instead(order, 'kubernetes', make)),
  })

/** All parts at once, as soon as anything may be changed. */
const allAtOnce = decidedBy((kubernetes) => (controlPlane, world) => {
  const found = kubernetes(controlPlane, world)
  const [step] = found?.steps ?? []
  if (step?.do !== 'moveKubernetes' || step.record?.stage !== 'apiServer') return found
  const { target } = step.record
  const record = { ...step.record, stage: 'kubelet' as const, versions: eachOf(() => target) }
  return { ...found, steps: [{ ...step, record }] }
})

/** Goes on to the next part before all machines have the last one. */
const impatient = decidedBy((kubernetes) => (controlPlane, world) => {
  const { target = '' } = kubernetesRecord(controlPlane) ?? {}
  const machines = world.machines.map((machine) => ({
    ...machine,
    status: { ...machine.status, ...READY, kubernetes: eachOf(() => target) },
  }))
  const turns = { ...world.turns, turns: { last: 0, held: [] } }
  return kubernetes(controlPlane, { ...world, machines, turns })
})

const READY = {
  conditions: [
    {
      ...{ type: 'Ready', status: 'True' as const, reason: 'AsWanted', message: '' },
      lastTransitionTime: '2030-01-01T00:00:00Z',
    },
  ],
}

/** Sees nothing that speaks against it. */
const unchecked = decidedBy((kubernetes) => (controlPlane, world) => {
  const seen = { ...world.kubernetes, problem: undefined }
  return kubernetes(controlPlane, { ...world, kubernetes: seen })
})

/** Knows of no upgrade of Kubernetes when it gives turns. */
const unaware =
  (giveTurn: ControlPlaneRule): ControlPlaneRule =>
  (controlPlane, world) => {
    const { [KUBE_UPGRADE]: _moving, ...annotations } = controlPlane.metadata.annotations ?? {}
    const metadata = { ...controlPlane.metadata, annotations }
    return giveTurn({ ...controlPlane, metadata }, world)
  }

const unawareWorker =
  (giveTurns: WorkerRule): WorkerRule =>
  (worker, world) =>
    giveTurns(worker, { ...world, isKubernetesMoving: false })

/** A turn is over as soon as there is nothing to change. */
const hasty: (typeof rules)[number] = (_machine, { turn, seen }) =>
  turn === undefined || seen.is !== 'member'
    ? undefined
    : { steps: [{ do: 'endTurn', turn }], state: 'Available', pace: 'soon' }

/** All of a cluster gets another version. */
export const upgraded: Life = {
  title: 'the Kubernetes of a cluster is upgraded',
  machines: 3,
  live: async (world) => {
    await twoAndOne(world)
    await setKubernetes(world, NEXT)
    await soon(world, () => have(world, NEXT), LONG_MINUTES)
    await settled(world, CONTROL_PLANE)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['KubernetesUpgradeSucceeded=True', 'Ready=True'],
  mutants: [
    {
      title: 'upgrades all of a machine at once',
      controllers: (ports) => controllersWith(ports, { controlPlane: allAtOnce() }),
      said: `its kubelet becomes ${NEXT}, and the API server of 127.80.35.2 is v1.29.7`,
    },
    {
      title: 'goes on to the next part before all machines have the last one',
      controllers: (ports) => controllersWith(ports, { controlPlane: impatient() }),
      said: `becomes ${NEXT}, and the API server of 127.80.35.2 is v1.29.7`,
    },
  ],
}

/** The first of the new API servers does not come up. */
export const broken: Life = {
  title: 'the API server of a machine does not come up with another version',
  machines: 3,
  live: async (world) => {
    await twoAndOne(world)
    world.fault('static-pod-fails', 1, `image=${NEXT}`)
    await setKubernetes(world, NEXT)
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['KubernetesUpgradeFailed', 'Ready=False (ComponentNotReady)'],
  mutants: [
    {
      title: 'does not look whether what a machine got runs',
      controllers: (ports) =>
        controllersWith(ports, { machine: { plan: planBy(without(rules, 'componentsAmiss')) } }),
      said: 'not in the end: TalosMachine one-127.80.35.1: Available Reachable=True (Answers) Ready=False (ComponentNotReady)',
    },
    {
      title: 'does not, and goes on to the next one whatever the last one says of itself',
      controllers: (ports) =>
        controllersWith(ports, {
          machine: {
            plan: planBy(instead(without(rules, 'componentsAmiss'), 'endTurn', () => hasty)),
          },
        }),
      said: 'the control plane on 127.80.35.1 is not up again',
    },
  ],
}

/** A machine is asked to fetch an image that there is not. */
export const unfetchable: Life = {
  title: 'a cluster is to have a Kubernetes that a machine cannot fetch',
  machines: 1,
  versions: { talos: 'v1.13.0', kubernetes: 'v1.34.1' },
  live: async (world) => {
    await world.bringSecrets('one')
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await settled(world, CONTROL_PLANE)
    world.fault('registry-refuses', 1, 'image=v1.34.2')
    await world.objects.patch(ControlPlane, 'one', { spec: { kubeVersion: 'v1.34.2' } })
    await world.pass(10)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['KubernetesUpgradeFailed', 'Ready=False (ImagePullFailed)'],
  mutants: [
    {
      title: 'changes a machine before it has what that needs',
      controllers: (ports) => controllersWith({ ...ports, machines: unfetched(ports.machines) }),
      said: 'not in the end: TalosMachine one-127.80.35.1: Available Reachable=True (Answers) Ready=False (ImagePullFailed)',
    },
  ],
}

/** Another Talos is asked for when the API servers are being moved. */
export const both: Life = {
  title: 'Talos is to be upgraded while Kubernetes is',
  machines: 2,
  live: async (world) => {
    await oneAndOne(world)
    await setKubernetes(world, NEXT)
    await soon(world, async () => (await stageIn(world)) === 'apiServer')
    await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.6.8' } })
    await world.objects.patch(Worker, 'pool', { spec: { version: 'v1.6.8' } })
    await soon(
      world,
      () => world.fleet.machine(world.address(2))?.talosVersion === 'v1.6.8',
      LONG_MINUTES,
    )
    await settled(world, POOL)
  },
  ...{ bootstraps: 1, resets: 0, installs: 2 },
  ends: ['KubernetesUpgradeSucceeded=True', 'Ready=True'],
  mutants: [
    {
      title: 'upgrades Talos while Kubernetes is upgraded',
      controllers: (ports) =>
        controllersWith(ports, {
          controlPlane: {
            plan: controlPlanePlanBy(instead(controlPlaneRules, 'giveTurn', unaware)),
          },
          worker: { plan: workerPlanBy(instead(workerRules, 'giveTurns', unawareWorker)) },
          machine: {
            plan: (machine, world, now) =>
              planBy(rules)(machine, { ...world, isKubernetesMoving: false }, now),
          },
        }),
      said: 'its Kubernetes is upgraded',
    },
  ],
}

/** A pool is to have an older one than it has. */
export const older: Life = {
  title: 'workers are to have an older Kubernetes than they have',
  machines: 2,
  live: async (world) => {
    await oneAndOne(world)
    await world.objects.patch(Worker, 'pool', { spec: { kubeVersion: 'v1.29.6' } })
    const object = [Machine, `pool-${world.address(2)}`] as const
    await soon(world, async () => {
      const ready = await conditionOf(world, object, 'Ready')
      return ready?.reason === 'KubernetesDowngrade'
    })
    await world.pass(2)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['Ready=False (KubernetesDowngrade)'],
  mutants: [
    {
      title: 'gives machines an older Kubernetes than they have',
      controllers: (ports) =>
        controllersWith(ports, { machine: { plan: planBy(without(rules, 'kubernetesOlder')) } }),
      said: 'it gets an older kubelet than it has',
    },
  ],
}

/** No version goes back. */
export const backwards: Life = {
  title: 'a cluster is to have an older Kubernetes than it has',
  machines: 1,
  live: async (world) => {
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await settled(world, CONTROL_PLANE)
    await world.objects.patch(ControlPlane, 'one', { spec: { kubeVersion: 'v1.28.0' } })
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['TalosControlPlane one: Ready Ready=False (KubernetesPathUnsupported)'],
  mutants: [
    {
      title: 'does not look whether anything speaks against it',
      controllers: (ports) => controllersWith(ports, { controlPlane: unchecked() }),
      said: 'not in the end: TalosControlPlane one: Ready Ready=False (KubernetesPathUnsupported)',
    },
  ],
}
