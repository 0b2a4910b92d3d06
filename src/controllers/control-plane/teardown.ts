import type { ControlPlane } from '#api/control-plane.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import { leavingSteps, whatBlocks } from '#engine/pool-machines.ts'
import { no, yes } from '#runtime/plan.ts'
import type { ControlPlanePlan } from './plan.ts'
import type { Step, World } from './world.ts'

const AGAIN_MS = 10_000

/**
 * The workers first: without the control plane's secrets nobody could reset them. Then all machines at
 * once: there is no quorum to keep in a cluster that goes.
 */
export function teardown(
  controlPlane: ControlPlane,
  { workers, machines }: World,
  now: Date,
): ControlPlanePlan | 'finished' {
  const isForced = controlPlane.metadata.annotations?.[FORCE_DELETION] === 'true'
  const leave = (reason: string, message: string, steps: Step[] = []): ControlPlanePlan => ({
    steps,
    status: {
      state: controlPlane.status?.state,
      observedKubeVersion: controlPlane.status?.observedKubeVersion,
    },
    conditions: { Deleting: yes(reason, message), Ready: no(reason, message) },
    wakeAt: new Date(now.getTime() + AGAIN_MS),
  })
  if (workers.length > 0 && !isForced) {
    return leave(
      'WorkersRemain',
      `TalosWorker ${workers.join(', ')} is of this cluster: delete it first, or its machines can be reset by nobody. To go on without that, annotate this object with ${FORCE_DELETION}=true`,
    )
  }
  if (machines.length === 0) return 'finished'
  return leave('RemovingMachines', whatBlocks(machines), leavingSteps(machines, isForced))
}
