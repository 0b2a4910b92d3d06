import { ETCD_LEFT } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { machineName, type Parent } from '#engine/pool.ts'
import { canBegin, isUsable } from './beginning.ts'
import { entriesOf, nameOf, standingOf } from './entries.ts'
import { goneSteps } from './gone-steps.ts'
import { lostControlPlane } from './lost-control-plane.ts'
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
  return [...steps, ...workerSteps(seen), ...leftoverSteps(seen), ...goneSteps(world, hasLeft)]
}

const isTaken = ({ taken }: World, what: string): boolean =>
  taken.some((one) => one.what.startsWith(`${what} `))

/** Which Machines the control plane is to have now; undefined while it cannot begin. */
function controlPlaneMachines({ world }: Seen): string[] | undefined {
  const { controlPlane } = world.talos
  const wanted = world.wanted.filter(({ role }) => role === 'controlplane').map(({ name }) => name)
  if (!controlPlane) return canBegin(world) ? wanted : undefined
  const entries = entriesOf(controlPlane)
  const going = lingering(controlPlane, world)
  // One at a time, and only when the one before is gone from etcd and from the engine.
  const mayDrop = going.length === 0 && !world.isOld
  const dropped = mayDrop ? nextToDrop(controlPlane, wanted, world) : undefined
  const joining = wanted.filter(
    (name) =>
      !entries.some((entry) => nameOf(entry) === name) &&
      isUsable(name, world) &&
      !going.some(({ metadata }) => metadata.name === talosName(controlPlane, name)),
  )
  const kept = entries.map(nameOf).filter((name) => name !== dropped)
  return [...kept, ...joining].sort((a, b) => indexOf(a) - indexOf(b))
}

/**
 * Those whose Machine is gone come first, if any other has its own: somebody has to be left in etcd. Then those with the
 * highest index, if a wanted one stays and no worker is to go.
 */
function nextToDrop(
  controlPlane: Parent,
  wanted: readonly string[],
  world: World,
): string | undefined {
  const { staying, lost, surplus, isAnyThere } = standingOf(controlPlane, wanted, world)
  if (lost.length > 0) return isAnyThere ? lost[0] : undefined
  const areWorkersLeft = surplusOf(world).some((one) => !isControlPlane(one))
  if (staying.length === 0 || areWorkersLeft) return undefined
  return [...surplus].sort((a, b) => indexOf(b) - indexOf(a))[0]
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
  const lingerers = pool ? lingering(pool, world) : []
  const joining = wanted.filter(
    (name) =>
      !entries.some((entry) => nameOf(entry) === name) &&
      isUsable(name, world) &&
      !(pool && lingerers.some(({ metadata }) => metadata.name === talosName(pool, name))),
  )
  const going = pool && !world.isOld ? leavingPool(pool, wanted, world) : []
  const kept = entries.map(nameOf).filter((name) => !going.includes(name))
  return [...kept, ...joining].sort((a, b) => indexOf(a) - indexOf(b))
}

/** Where the whole control plane is gone, nothing is there that a new worker could join: those that run are left alone. */
function leavingPool(pool: Parent, wanted: readonly string[], world: World): string[] {
  const { lost, surplus } = standingOf(pool, wanted, world)
  return lostControlPlane(world) === undefined ? [...lost, ...surplus] : surplus
}

/** Pools of groups that the spec has no more, or of which it wants no machine. */
const leftoverSteps = ({ shape, world }: Seen): Step[] =>
  world.talos.workers
    .filter(({ metadata }) => {
      const group = shape.workers.find(({ prefix }) => prefix === metadata.name)
      return !group || group.replicas === 0
    })
    .filter((pool) => !isLeaving(pool) && !world.isOld && !hasTaken(pool, world))
    .map(({ metadata }) => ({
      ...{ do: 'removePart' as const, part: 'TalosWorker' as const },
      ...{ name: metadata.name, uid: metadata.uid ?? '' },
    }))

/** Whether it has a Machine that is somebody else's by now. */
const hasTaken = (pool: Parent, { taken }: World): boolean =>
  entriesOf(pool).some((entry) => taken.some(({ what }) => what === `Machine ${nameOf(entry)}`))

/** A control plane has to leave etcd before: as long as it is a member, the majority depends on it. */
const hasLeft = ({ metadata, spec }: Machine): boolean =>
  spec?.controlPlaneRef === undefined || metadata.annotations?.[ETCD_LEFT] !== undefined

/** The objects of machines that are on their way out of a part. */
function lingering(part: Parent, { talos }: World): Machine[] {
  const listed = new Set(entriesOf(part).map((entry) => talosName(part, nameOf(entry))))
  return talos.machines.filter(
    ({ metadata }) =>
      metadata.ownerReferences?.some(({ uid }) => uid === part.metadata.uid) &&
      !listed.has(metadata.name),
  )
}

const talosName = ({ metadata }: Parent, name: string): string =>
  machineName(metadata.name, { reference: name })
