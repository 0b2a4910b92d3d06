import { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { wholesOf } from '#engine/cluster-owners.ts'
import { liveObject } from '#engine/live-object.ts'
import type { CacheReader, Reader } from '#runtime/reader.ts'
import { isWipedWhenDeleted, type Parent } from './world.ts'

/** The control plane that a machine is of, and the pool if it is a worker, as far as the caches show them. */
export function parentOf(machine: Machine, read: CacheReader): Parent {
  const { spec } = machine
  const workerName = spec?.workerRef?.name
  const worker = workerName ? read.get(Worker, workerName) : undefined
  if (workerName && !worker) return { is: 'missing', what: `${Worker.kind} ${workerName}` }
  const name = workerName ? worker?.spec?.controlPlaneRef?.name : spec?.controlPlaneRef?.name
  const controlPlane = name ? read.get(ControlPlane, name) : undefined
  if (!controlPlane) {
    return { is: 'missing', what: name ? `${ControlPlane.kind} ${name}` : 'what it belongs to' }
  }
  const own = worker ?? controlPlane
  if (!isMadeFor(machine, worker ? Worker : ControlPlane, own)) {
    const what = `the ${own.kind} ${own.metadata.name} that this object was made for (another one has its name now, as after a restore from a backup)`
    return { is: 'missing', what }
  }
  return {
    ...{ is: 'there', controlPlane, worker, ...remainingIn(controlPlane, read) },
    isClusterLeaving: isWholeLeaving(controlPlane, read),
  }
}

/**
 * Whether it is the parent that the object was made for, and not only one of its name: what is restored from a backup names
 * owners that nobody is any more, and is deleted for that by the API. That must wipe nothing.
 */
function isMadeFor({ metadata }: Machine, { kind }: Kind, own: KubeObject): boolean {
  const owners = (metadata.ownerReferences ?? []).filter(
    (owner) => owner.kind === kind && owner.name === own.metadata.name,
  )
  return owners.length === 0 || owners.some(({ uid }) => uid === own.metadata.uid)
}

/**
 * The same, asked of the API where it decides: a machine that goes is wiped only if its parent is there. What only
 * the API shows is not acted on yet, because who may forbid it all is looked for in the caches.
 */
export async function parentFor(machine: Machine, read: Reader): Promise<Parent> {
  const parent = parentOf(machine, read)
  const isWiped = machine.metadata.deletionTimestamp !== undefined && isWipedWhenDeleted(machine)
  if (parent.is !== 'missing' || !isWiped) return parent
  return (await isThere(machine, read)) ? { is: 'unseen', what: parent.what } : parent
}

/** Whether what the caches do not show of a machine's parents is there. */
async function isThere(machine: Machine, read: Reader): Promise<boolean> {
  const { spec } = machine
  const isOwn = (kind: Kind, live: KubeObject | undefined) =>
    live !== undefined && isMadeFor(machine, kind, live)
  const workerName = spec?.workerRef?.name
  const worker = workerName ? read.get(Worker, workerName) : undefined
  if (workerName && !worker) return isOwn(Worker, await liveObject(Worker, workerName, read))
  const name = workerName ? worker?.spec?.controlPlaneRef?.name : spec?.controlPlaneRef?.name
  const controlPlane = name ? await liveObject(ControlPlane, name, read) : undefined
  if (!worker) return isOwn(ControlPlane, controlPlane)
  if (!controlPlane) return false
  if (isMadeFor(machine, Worker, worker)) return true
  return isOwn(Worker, await liveObject(Worker, worker.metadata.name, read))
}

/** The pools of a cluster are deleted before its control plane is. */
const isWholeLeaving = ({ metadata }: ControlPlane, read: CacheReader): boolean =>
  metadata.deletionTimestamp !== undefined ||
  wholesOf(metadata, read).some((whole) => whole?.metadata.deletionTimestamp !== undefined)

function remainingIn({ metadata }: ControlPlane, read: CacheReader) {
  if (metadata.deletionTimestamp === undefined) return {}
  const remaining = read
    .list(Worker)
    .filter(({ spec }) => spec?.controlPlaneRef?.name === metadata.name)
    .map((worker) => worker.metadata.name)
  return { remaining }
}
