import { expect } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { versionsIn } from '#machineconfig/versions/kubernetes-images.ts'
import { CONTROL_PLANE, onMachines, untilReady as untilMachinesReady } from './a-control-plane.ts'
import { type Interruption, pointOf } from './boundary.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { endState } from './end-state.ts'
import { aForeignCluster, importedCluster } from './foreign-cluster.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { machinesMadeIn } from './invariants-of-provided.ts'
import { QUICK, type Versions } from './manifests.ts'
import { APPLIED } from './objects.ts'
import { deedsIn, excusedIn } from './operator-dies-deeds.ts'
import { controlPlaneIn, watchedBriefly, workerIn } from './parts.ts'
import { conditionOf, untilGone, untilReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const UPGRADED = 'v1.6.8'

/** The life of a cluster: what is done to it in turn, and when that is over. */
export interface Life {
  readonly name: string
  readonly machines: number
  /** The numbers of further ones that a provider can make. */
  readonly provided?: readonly number[]
  /** `QUICK` unless told. */
  readonly versions?: Versions
  readonly chapters: readonly {
    readonly name: string
    readonly begin: (world: World) => Promise<void>
    readonly isOver: (world: World) => Promise<void>
    /** How many bootstraps and resets there have been by then, and Machines that were made. */
    readonly done: {
      readonly bootstraps: number
      readonly resets: number
      readonly machinesMade?: number
    }
  }[]
}

/** What came of each chapter of a life. */
export interface Lived {
  readonly states: readonly string[][]
  /** The calls that counted, by the names that they have in every run. */
  readonly points: readonly string[][]
  /** How often each machine had been through what costs it something, by then. */
  readonly deeds: readonly Record<string, number>[]
  /** Which of that may have been done once more by then. */
  readonly excused: readonly string[][]
  /** The interruptions that did not come about. */
  readonly missed: readonly Interruption[]
}

const untilPoolReady = (world: World): Promise<void> =>
  world.until('the pool to be Ready', async () => {
    const ready = await conditionOf(world, [Worker, 'pool'], 'Ready')
    return ready?.status === 'True'
  })

/** A TalosCluster is made, and deleted as a whole. */
export const CLUSTER: Life = {
  name: 'a cluster',
  machines: 2,
  chapters: [
    {
      name: 'created',
      begin: (world) => world.objects.apply(world.cluster('one', [1], [2])),
      isOver: (world) => untilReady(world, 'one'),
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'deleted',
      begin: (world) => world.objects.remove(Cluster, 'one'),
      isOver: untilGone,
      done: { bootstraps: 1, resets: 2 },
    },
  ],
}

/** A control plane and a pool of their own; the pool is deleted first, so that a cluster is left that knows its Node. */
export const POOL: Life = {
  name: 'a pool',
  machines: 2,
  chapters: [
    {
      name: 'created',
      begin: async (world) => {
        await world.objects.apply(controlPlaneIn(world, 'one', [1]))
        await world.objects.apply(workerIn(world, { name: 'pool', joins: 'one', machines: [2] }))
      },
      isOver: untilPoolReady,
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'deleted alone',
      begin: (world) => world.objects.remove(Worker, 'pool'),
      isOver: (world) =>
        world.until('the pool to be gone', async () => !(await world.objects.find(Worker, 'pool'))),
      done: { bootstraps: 1, resets: 1 },
    },
    {
      name: 'deleted with its control plane',
      begin: (world) => world.objects.remove(ControlPlane, 'one'),
      isOver: untilGone,
      done: { bootstraps: 1, resets: 2 },
    },
  ],
}

/** A control plane of four loses a machine that is off and one that is not, and another one is installed anew. */
export const SCALE: Life = {
  name: 'a control plane',
  machines: 4,
  chapters: [
    {
      name: 'created',
      begin: (world) => world.objects.apply(onMachines(world, [1, 2, 3, 4])),
      isOver: (world) => untilMachinesReady(world, [1, 2, 3, 4]),
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'without one that is off',
      begin: async (world) => {
        const come = world.fault('unreachable', 4)
        await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })
        await world.objects.apply(onMachines(world, [1, 2, 3]))
        const object = [Machine, `one-${world.address(4)}`] as const
        await untilSays(world, object, { type: 'Deleting', reason: 'ResetBlocked' })
        // Whatever is still to be done without it.
        await world.pass(2)
        come()
      },
      isOver: (world) => untilMachinesReady(world, [1, 2, 3]),
      done: { bootstraps: 1, resets: 1 },
    },
    {
      name: 'made smaller',
      begin: (world) => world.objects.apply(onMachines(world, [1, 2])),
      isOver: (world) => untilMachinesReady(world, [1, 2]),
      done: { bootstraps: 1, resets: 2 },
    },
    {
      name: 'renewed',
      begin: (world) => world.objects.remove(Machine, `one-${world.address(1)}`),
      isOver: async (world) => {
        // By then it has been reset, and has not been installed anew.
        await world.until('it to be reset', () => resetsIn(world) === 3)
        await world.until('its object to be gone', async () => {
          const found = await world.objects.find(Machine, `one-${world.address(1)}`)
          return found?.metadata.deletionTimestamp === undefined
        })
        await untilMachinesReady(world, [1, 2])
      },
      done: { bootstraps: 1, resets: 3 },
    },
  ],
}

const partsIn = (world: World) => ({
  controlPlane: watchedBriefly(controlPlaneIn(world, 'one', [1])),
  pool: watchedBriefly(workerIn(world, { name: 'pool', joins: 'one', machines: [2] })),
})

const edited = async (world: World, patch: object) => {
  const { controlPlane, pool } = partsIn(world)
  const { objects } = world
  await Promise.all([
    objects.apply(withPatch(controlPlane, patch)),
    objects.apply(withPatch(pool, patch)),
  ])
}

const untilChanged = (world: World): Promise<void> =>
  untilAsWanted(world, [ControlPlane, 'one'], [Worker, 'pool'])

/** Machines get another configuration, one for which they reboot, and another version. */
export const CHANGE: Life = {
  name: 'a change',
  machines: 2,
  chapters: [
    {
      name: 'created',
      begin: (world) => edited(world, { machine: { sysctls: { 'vm.swappiness': '0' } } }),
      isOver: untilChanged,
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'configured',
      begin: (world) => edited(world, { machine: { sysctls: { 'vm.swappiness': '1' } } }),
      isOver: untilChanged,
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'configured by a reboot',
      begin: (world) => edited(world, { machine: { env: { GRPC_GO_LOG_SEVERITY_LEVEL: 'info' } } }),
      isOver: untilChanged,
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'upgraded',
      begin: async ({ objects }) => {
        await objects.patch(ControlPlane, 'one', { spec: { version: UPGRADED } })
        await objects.patch(Worker, 'pool', { spec: { version: UPGRADED } })
      },
      isOver: async (world) => {
        await untilChanged(world)
        const seen = (await world.objects.list(Machine)).map(({ status }) => status)
        expect(seen.map((status) => status?.observedVersion)).toEqual([UPGRADED, UPGRADED])
      },
      done: { bootstraps: 1, resets: 0 },
    },
  ],
}

const toVersions = async (
  { objects }: World,
  spec: { version: string } | { kubeVersion: string },
) => {
  await objects.patch(ControlPlane, 'one', { spec })
  await objects.patch(Worker, 'pool', { spec })
}

const kubeletsIn = ({ fleet }: World) =>
  fleet.machines.map(({ config }) => config && versionsIn(config).kubelet)

/** A pool that is behind gets the kubelets of its cluster, that another Kubernetes, and then another Talos in the way that there is since v1.13. */
export const KUBERNETES: Life = {
  name: 'a Kubernetes',
  machines: 2,
  versions: { talos: 'v1.13.0', kubernetes: 'v1.34.1' },
  chapters: [
    {
      name: 'created',
      begin: async (world) => {
        await world.bringSecrets('one')
        const { controlPlane, pool } = partsIn(world)
        await world.objects.apply(controlPlane)
        await world.objects.apply({ ...pool, spec: { ...pool.spec, kubeVersion: 'v1.33.4' } })
      },
      isOver: untilChanged,
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'given other kubelets',
      begin: ({ objects }) => objects.patch(Worker, 'pool', { spec: { kubeVersion: 'v1.34.1' } }),
      isOver: async (world) => {
        // Its machines do not hear of it by their own specs, and are Ready until they were looked at.
        const areThere = () => kubeletsIn(world).every((version) => version === 'v1.34.1')
        await world.until('the kubelets', areThere)
        await untilChanged(world)
      },
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'upgraded',
      begin: (world) => toVersions(world, { kubeVersion: 'v1.35.0' }),
      isOver: async (world) => {
        await untilSays(world, [ControlPlane, 'one'], {
          ...{ type: 'KubernetesUpgradeSucceeded', reason: 'UpgradeSucceeded' },
        })
        await untilChanged(world)
        expect(kubeletsIn(world)).toEqual(['v1.35.0', 'v1.35.0'])
      },
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'given another Talos',
      begin: (world) => toVersions(world, { version: 'v1.13.1' }),
      isOver: async (world) => {
        await untilChanged(world)
        const talos = world.fleet.machines.map(({ talosVersion }) => talosVersion)
        expect(talos).toEqual(['v1.13.1', 'v1.13.1'])
      },
      done: { bootstraps: 1, resets: 0 },
    },
  ],
}

/** A cluster of somebody else is taken over, and let go again. */
export const IMPORT: Life = {
  name: 'a cluster of somebody else',
  machines: 3,
  chapters: [
    {
      name: 'imported',
      begin: async (world) => {
        const shape = { controlPlanes: [1, 2], workers: [3] }
        await aForeignCluster(world, shape)
        await world.objects.apply(importedCluster(world, shape))
      },
      isOver: (world) => untilReady(world, 'one'),
      // By whoever made it.
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'let go',
      begin: (world) => world.objects.remove(Cluster, 'one'),
      isOver: untilGone,
      done: { bootstraps: 1, resets: 0 },
    },
  ],
}

/** For each chapter of a life, what befalls the operator in it. */
export type Fate = readonly (Interruption | undefined)[]

/** Lives a life, with what befalls the operator meanwhile, and holds what must hold after each chapter. */
export async function lived(
  subnet: string,
  { chapters, machines, provided, versions = QUICK }: Life,
  fate: Fate = [],
): Promise<Lived> {
  await using world = await aWorld({ subnet, machines, versions })
  const { boundary } = world
  if (provided) await world.provider(provided)
  const known = new Map<string, string>()
  const [states, points, missed]: [string[][], string[][], Interruption[]] = [[], [], []]
  const deeds: Record<string, number>[] = []
  const excused: string[][] = []
  for (const [at, { name, begin, isOver, done }] of chapters.entries()) {
    const before = world.history.length
    boundary.beginChapter()
    const interruption = fate[at]
    if (interruption) boundary.interrupt(interruption)
    await begin(world)
    await isOver(world)
    // What was under way when it became so.
    await world.pass(1)
    expect(await brokenInvariants(world)).toEqual([])
    const machinesMade = machinesMadeIn(world.history)
    const counts = { bootstraps: bootstrapsIn(world), resets: resetsIn(world), machinesMade }
    expect(counts).toEqual({ machinesMade: 0, ...done })
    states.push([...(await endState(world)), ...(await agesIn(world, name, known))])
    deeds.push(deedsIn(world))
    excused.push(excusedIn(boundary))
    missed.push(...boundary.pending)
    boundary.forgetPending()
    const counted = world.history.slice(before).filter(({ number }) => number !== undefined)
    points.push(counted.map(pointOf))
  }
  return { states, points, deeds, excused, missed }
}

/** Since which chapter each object is there: what stays has to be the same one. */
async function agesIn(
  { objects }: World,
  chapter: string,
  known: Map<string, string>,
): Promise<string[]> {
  const all: KubeObject[] = (
    await Promise.all([...APPLIED, ProvidedMachine].map((kind) => objects.list(kind)))
  ).flat()
  return all.map(({ kind, metadata: { name, uid = '' } }) => {
    const since = known.get(uid) ?? chapter
    known.set(uid, since)
    return `${kind} ${name} is there since ${since}`
  })
}
