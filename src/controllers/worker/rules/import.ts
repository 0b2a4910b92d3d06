import { ETCD_SEEN } from '#api/labels.ts'
import type { Worker } from '#api/worker.ts'
import type { Rule } from '#controllers/worker/decision.ts'
import type { World } from '#controllers/worker/world.ts'
import { isToBeImported } from '#engine/adoption.ts'
import { IMPORTING, importProblem, poolVerdict } from '#engine/import-verdict.ts'
import { isClaimed, machineSteps, machinesInTheWay } from '#engine/pool-machines.ts'
import { no } from '#runtime/plan.ts'

/** Whether the pool is still to be taken over. One of whose machines is ours is ours. */
const isImporting = (worker: Worker, { machines }: World): boolean =>
  isToBeImported(worker) && !machines.some(isClaimed)

/** Whose workers they are has to be known first. */
export const importWaits: Rule = (worker, world) => {
  const { controlPlane } = world
  if (!controlPlane || !isImporting(worker, world)) return undefined
  const { name, annotations = {}, deletionTimestamp } = controlPlane.metadata
  if (annotations[ETCD_SEEN] !== undefined || deletionTimestamp !== undefined) return undefined
  const message = `nothing is taken over before TalosControlPlane ${name} was taken over, or runs`
  return { ready: no(IMPORTING, message) }
}

/** A pool that runs is taken over as a whole or not at all, when all of its machines were seen to be as they are described. */
export const importPool: Rule = (worker, world) => {
  const { pool, unresolved } = world
  if (!isImporting(worker, world)) return undefined
  const steps = machineSteps(pool)
  if (steps.length > 0) {
    return { steps, ready: no(IMPORTING, 'the objects of its machines are made') }
  }
  if (unresolved) {
    return { ready: no(unresolved.reason, unresolved.message), isWaiting: true }
  }
  const ready = machinesInTheWay(pool) ?? importProblem(poolVerdict(pool.known))
  return ready && { ready }
}

/** From now on it is ours, and its machines may say so, too. */
export const adopt: Rule = (worker, world) => {
  const uuids = world.pool.known.flatMap(({ status }) => status?.uuid ?? [])
  if (uuids.length === 0 || !isImporting(worker, world)) return undefined
  return {
    steps: [{ do: 'adopt', machines: uuids }],
    ready: no(IMPORTING, 'its machines are as they are described, and are taken over as they run'),
  }
}
