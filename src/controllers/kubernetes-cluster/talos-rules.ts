import { ETCD_LEFT, FORCE_DELETION } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { MachineEntry, Parent } from '#engine/pool.ts'
import { machineName } from '#engine/pool.ts'
import { addressPath } from './machine-address.ts'
import { isLeaving } from './own.ts'
import { says } from './says.ts'
import { indexOf, isControlPlane, surplusOf } from './surplus.ts'
import { controlPlaneDraft, type Making, workerDraft } from './talos-drafts.ts'
import type { Step, World } from './world.ts'

type Seen = Making & { world: World }

/** What makes the parts of the engine those that the cluster wants. Nothing, before its control planes have addresses. */
export function talosSteps(seen: Seen): Step[] {
  const { world } = seen
  const { controlPlane } = world.talos
  if (world.secrets.is === 'wrong' || world.secrets.is === 'to be made') return []
  if (controlPlane && isLeaving(controlPlane)) return []
  const names = controlPlaneMachines(seen)
  if (!names || isTaken(world, 'TalosControlPlane')) return []
  const name = controlPlane?.metadata.name ?? seen.shape.name
  const draft = controlPlaneDraft(seen, names)
  const steps: Step[] =
    controlPlane && says(controlPlane, draft)
      ? []
      : [{ do: 'applyControlPlane', name, machines: names, isNew: !controlPlane }]
  if (!controlPlane) return steps
  return [...steps, ...workerSteps(seen), ...leftoverSteps(seen), ...goneSteps(world)]
}

const isTaken = ({ taken }: World, what: string): boolean =>
  taken.some((one) => one.what.startsWith(`${what} `))

/** Which Machines the control plane is to have now; undefined while it cannot begin. */
function controlPlaneMachines({ world }: Seen): string[] | undefined {
  const { controlPlane } = world.talos
  const wanted = world.wanted.filter(({ role }) => role === 'controlplane').map(({ name }) => name)
  if (!controlPlane) return wanted.every((name) => isUsable(name, world)) ? wanted : undefined
  const entries = entriesOf(controlPlane)
  const { staying, leaving } = sorted(entries, wanted, world)
  const going = lingering(controlPlane, world)
  // One at a time, and only when the one before is gone from etcd and from the engine.
  const mayDrop = going.length === 0 && staying.length > 0 && !world.isOld
  const dropped = mayDrop ? nextToDrop(leaving, wanted, world) : undefined
  const joining = wanted.filter(
    (name) =>
      !entries.some((entry) => nameOf(entry) === name) &&
      isUsable(name, world) &&
      !going.some(({ metadata }) => metadata.name === talosName(controlPlane, name)),
  )
  const kept = entries.map(nameOf).filter((name) => name !== dropped)
  return [...kept, ...joining].sort((a, b) => indexOf(a) - indexOf(b))
}

/** Those whose Machine is gone come first, then those with the highest index; and these only when no worker is to go. */
function nextToDrop(
  leaving: readonly string[],
  wanted: readonly string[],
  world: World,
): string | undefined {
  const lost = leaving.find((name) => wanted.includes(name))
  if (lost !== undefined) return lost
  const areWorkersLeft = surplusOf(world).some((one) => !isControlPlane(one))
  if (areWorkersLeft) return undefined
  return [...leaving].sort((a, b) => indexOf(b) - indexOf(a))[0]
}

function workerSteps(seen: Seen): Step[] {
  const { shape, world } = seen
  return shape.workers.flatMap(({ name: group, prefix: name }): Step[] => {
    const pool = world.talos.workers.find(({ metadata }) => metadata.name === name)
    const isInTheWay = world.taken.some(({ what }) => what === `TalosWorker ${name}`)
    if (isInTheWay || (pool && isLeaving(pool))) return []
    const machines = poolMachines(pool, group, world)
    if (machines.length === 0 && !pool) return []
    if (pool && says(pool, workerDraft(seen, { name, machines }))) return []
    return [{ do: 'applyWorker', name, group, machines, isNew: !pool }]
  })
}

function poolMachines(pool: Parent | undefined, group: string, world: World): string[] {
  const wanted = world.wanted.filter((one) => one.group === group).map(({ name }) => name)
  const entries = pool ? entriesOf(pool) : []
  const { staying, leaving } = sorted(entries, wanted, world)
  const going = pool ? lingering(pool, world) : []
  const joining = wanted.filter(
    (name) =>
      !entries.some((entry) => nameOf(entry) === name) &&
      isUsable(name, world) &&
      !(pool && going.some(({ metadata }) => metadata.name === talosName(pool, name))),
  )
  const kept = world.isOld ? [...staying, ...leaving] : staying
  return [...kept, ...joining].sort((a, b) => indexOf(a) - indexOf(b))
}

/** Pools of groups that the spec has no more, or of which it wants no machine. */
const leftoverSteps = ({ shape, world }: Seen): Step[] =>
  world.talos.workers
    .filter(({ metadata }) => {
      const group = shape.workers.find(({ prefix }) => prefix === metadata.name)
      return !group || group.replicas === 0
    })
    .filter((pool) => !isLeaving(pool) && !world.isOld)
    .map(({ metadata }) => ({
      ...{ do: 'removePart' as const, part: 'TalosWorker' as const },
      ...{ name: metadata.name, uid: metadata.uid ?? '' },
    }))

/** Whose Machine was deleted by somebody can never be reset, and would be waited for for ever. */
function goneSteps(world: World): Step[] {
  const { controlPlane, machines } = world.talos
  return machines
    .filter((machine) => isLeaving(machine) && !isForced(machine) && isGone(machine, world))
    .filter(
      ({ metadata, spec }) =>
        spec?.controlPlaneRef?.name !== controlPlane?.metadata.name ||
        metadata.annotations?.[ETCD_LEFT] !== undefined,
    )
    .map(({ metadata }) => ({
      ...{ do: 'forceTalosMachine' as const, name: metadata.name, uid: metadata.uid ?? '' },
    }))
}

const isForced = ({ metadata }: Machine): boolean =>
  metadata.annotations?.[FORCE_DELETION] === 'true'

/** Whether no Machine of the cluster is older than it: the one that it stood for is not there any more. */
function isGone({ metadata, spec }: Machine, { machines }: World): boolean {
  const parent = spec?.workerRef?.name ?? spec?.controlPlaneRef?.name ?? ''
  const own = machines.find(
    (one) => machineName(parent, { reference: one.metadata.name }) === metadata.name,
  )
  return (
    own === undefined || (own.metadata.creationTimestamp ?? '') > (metadata.creationTimestamp ?? '')
  )
}

interface Sorted {
  /** Names of entries whose Machine is wanted, there, and the one that was meant. */
  staying: string[]
  leaving: string[]
}

function sorted(
  entries: readonly MachineEntry[],
  wanted: readonly string[],
  { machines }: World,
): Sorted {
  const isStaying = (entry: MachineEntry) => {
    const machine = machines.find(({ metadata }) => metadata.name === nameOf(entry))
    const { uid = machine?.metadata.uid } = entry.machineRef ?? {}
    return (
      wanted.includes(nameOf(entry)) &&
      machine !== undefined &&
      !isLeaving(machine) &&
      machine.metadata.uid === uid
    )
  }
  return {
    staying: entries.filter(isStaying).map(nameOf),
    leaving: entries.filter((entry) => !isStaying(entry)).map(nameOf),
  }
}

/** The objects of machines that are on their way out of a part. */
function lingering(part: Parent, { talos }: World): Machine[] {
  const listed = new Set(entriesOf(part).map((entry) => talosName(part, nameOf(entry))))
  return talos.machines.filter(
    ({ metadata }) =>
      metadata.ownerReferences?.some(({ uid }) => uid === part.metadata.uid) &&
      !listed.has(metadata.name),
  )
}

export const entriesOf = ({ spec }: Parent): readonly MachineEntry[] =>
  spec?.metalSpec?.machines ?? []

export const nameOf = ({ machineRef }: MachineEntry): string => machineRef?.name ?? ''

const talosName = ({ metadata }: Parent, name: string): string =>
  machineName(metadata.name, { reference: name })

function isUsable(name: string, { machines }: World): boolean {
  const machine = machines.find(({ metadata }) => metadata.name === name)
  return machine !== undefined && !isLeaving(machine) && addressPath(machine) !== undefined
}
