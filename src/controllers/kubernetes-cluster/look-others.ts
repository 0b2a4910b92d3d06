import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { liveObject } from '#engine/live-object.ts'
import type { Reader } from '#runtime/reader.ts'
import type { Wanted } from './drafts.ts'
import { entriesOf, nameOf, partsOf } from './entries.ts'
import { isLeaving, isOwn } from './own.ts'
import type { Shape } from './shape.ts'
import { surplusOf, talosNameOf } from './surplus.ts'
import { takenBy } from './taken.ts'
import type { TalosSeen, World } from './world.ts'

// So many are asked for in one look: the rest has to wait for the next.
const MOST_AT_ONCE = 50

interface Known {
  shape: Shape | undefined
  /** Whether nobody has the name of the control plane, as was asked before, and nothing depends on it now. */
  isKnown?: boolean
  wanted: readonly Wanted[]
  machines: readonly ProvidedMachine[]
  talos: TalosSeen
}

interface Others extends Pick<World, 'taken' | 'free' | 'held' | 'isOld'> {
  /** Wanted ones of the cluster's own, though no cache shows them. */
  machines: ProvidedMachine[]
  /** Whoever has the name of the cluster's own one. */
  controlPlane: ControlPlane | undefined
  /** The cluster's own ones, though no cache shows them. */
  workers: Worker[]
}

const NOBODY: Omit<Others, 'controlPlane'> = {
  ...{ taken: [], free: [], held: [], isOld: false },
  ...{ machines: [], workers: [] },
}

/**
 * Looks, before anything is made or taken away, at what the API has under these names: what no cache shows may be there
 * all the same.
 */
export async function lookAtOthers(
  cluster: KubernetesCluster,
  known: Known,
  read: Reader,
): Promise<Others> {
  const { shape, talos } = known
  if (!shape) return { ...NOBODY, controlPlane: talos.controlPlane }
  const isOurs = (object: KubeObject) => isOwn(cluster, object)
  const [controlPlane, machines] = await Promise.all([
    partNamed(known, talos.controlPlane?.metadata.name ?? shape.name, read),
    namedMachines(known, read),
  ])
  const isBegun = controlPlane !== undefined && isOurs(controlPlane)
  const pools = isBegun ? await namedPools(known, shape, read) : []
  const workers = pools.filter(isOurs)
  const seen = { ...talos, controlPlane, workers: [...talos.workers, ...workers] }
  const found = [...(controlPlane ? [controlPlane] : []), ...pools, ...machines.found]
  const leaving = surplusOf(known)
  const mayLose = leaving.length > 0 || hasSurplus({ ...known, talos: seen }, shape)
  return {
    taken: found.filter((one) => !isOurs(one)).map(takenBy),
    free: machines.free,
    held: await heldOf(leaving, { shape, talos: seen }, read),
    isOld: mayLose && (await isOldView(cluster, read)),
    machines: machines.found.filter(isOurs),
    ...{ controlPlane, workers },
  }
}

/** Whether a part of the engine is to lose a machine, or to go. */
const hasSurplus = ({ wanted, talos }: Known, { workers }: Shape): boolean =>
  partsOf(talos)
    .flatMap(entriesOf)
    .some((entry) => !wanted.some(({ name }) => name === nameOf(entry))) ||
  talos.workers.some(
    ({ metadata }) => !workers.some(({ prefix, replicas }) => prefix === metadata.name && replicas),
  )

/** What has the names of wanted Machines and is not seen to be the cluster's own, and the names that nothing has. */
async function namedMachines({ wanted, machines }: Known, read: Reader) {
  const own = new Set(machines.map(({ metadata }) => metadata.name))
  const missing = wanted.filter(({ name }) => !own.has(name))
  const cached = missing.map(({ name }) => read.get(ProvidedMachine, name))
  const absent = missing.filter((_, at) => !cached[at]).slice(0, MOST_AT_ONCE)
  const live = await Promise.all(absent.map(({ name }) => liveObject(ProvidedMachine, name, read)))
  return {
    found: [...cached, ...live].flatMap((one) => one ?? []),
    free: absent.filter((_, at) => !live[at]).map(({ name }) => name),
  }
}

/** The pools that could be made now, if somebody has their names. */
async function namedPools(
  { talos }: Known,
  { workers, name: cluster }: Shape,
  read: Reader,
): Promise<Worker[]> {
  const own = new Set(talos.workers.map(({ metadata }) => metadata.name))
  const names = workers
    .filter(({ replicas }) => replicas > 0)
    .map(({ name }) => `${cluster}-${name}`)
    .filter((name) => !own.has(name))
  const found = await Promise.all(names.map((name) => liveUnlessSeen([Worker, name], read)))
  return found.flatMap((one) => one ?? [])
}

const partNamed = ({ isKnown }: Known, name: string, read: Reader) =>
  isKnown ? undefined : liveUnlessSeen([ControlPlane, name], read)

const liveUnlessSeen = async <K extends Kind>([kind, name]: [K, string], read: Reader) =>
  read.get(kind, name) ?? (await liveObject(kind, name, read))

/** Machines that are not wanted and that the engine still has: nothing is taken from under it. */
async function heldOf(
  leaving: readonly ProvidedMachine[],
  { shape, talos }: { shape: Shape; talos: TalosSeen },
  read: Reader,
): Promise<string[]> {
  const seen = new Set(talos.machines.map(({ metadata }) => metadata.name))
  if (!talos.controlPlane) return []
  const held = await Promise.all(
    leaving
      .filter((machine) => !isLeaving(machine))
      .map(async (machine, at) => {
        const name = talosNameOf(machine, shape.name)
        const isHeld =
          seen.has(name) || at >= MOST_AT_ONCE || (await liveObject(Machine, name, read))
        return isHeld ? [machine.metadata.name] : []
      }),
  )
  return held.flat()
}

/** Whether the API has another spec than the one that we see: a Machine must not go for what was taken back. */
async function isOldView({ metadata }: KubernetesCluster, read: Reader): Promise<boolean> {
  const live = await liveObject(KubernetesCluster, metadata.name, read)
  return live?.metadata.uid !== metadata.uid || live?.metadata.generation !== metadata.generation
}
