import type { ControlPlane } from '#api/control-plane.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import { secretsNameOf } from '#engine/cluster-secrets.ts'
import { partingSteps, whatBlocks } from '#engine/pool-machines.ts'
import { no, yes } from '#runtime/plan.ts'
import type { ControlPlanePlan } from './plan.ts'
import type { Step, World } from './world.ts'

const AGAIN_MS = 10_000

/** What is left to do, or what it waits for. */
interface Leaving {
  steps?: Step[]
  reason: string
  message: string
}

type LeavingRule = (controlPlane: ControlPlane, world: World) => Leaving | undefined

const isForced = ({ metadata }: ControlPlane): boolean =>
  metadata.annotations?.[FORCE_DELETION] === 'true'

/** Without the control plane's secrets nobody could reset them. */
const workersFirst: LeavingRule = (controlPlane, { workers }) =>
  workers.length === 0 || isForced(controlPlane)
    ? undefined
    : {
        reason: 'WorkersRemain',
        message: `TalosWorker ${workers.join(', ')} is of this cluster: delete it first, or its machines can be reset by nobody. To go on without that, annotate TalosControlPlane ${controlPlane.metadata.name} with ${FORCE_DELETION}=true`,
      }

/** All at once: there is no quorum to keep in a cluster that goes. */
const thenMachines: LeavingRule = (controlPlane, { machines }) =>
  machines.length === 0
    ? undefined
    : {
        steps: partingSteps(controlPlane, machines),
        reason: 'RemovingMachines',
        message: whatBlocks(machines),
      }

const thenSecrets: LeavingRule = (controlPlane, { hold }) => {
  if (hold !== 'held' && hold !== 'condemned') return undefined
  const name = secretsNameOf(controlPlane)
  return {
    steps: [{ do: 'releaseSecrets', name }],
    reason: 'ReleasingSecrets',
    message: `Secret ${name} is not needed any more, and stays for you`,
  }
}

/** In this order: the first that speaks decides. When none does, nothing is left. */
export const leavingRules: readonly LeavingRule[] = [workersFirst, thenMachines, thenSecrets]

/** How a control plane is taken down, by these rules. */
export const teardownBy =
  (order: readonly LeavingRule[]) =>
  (controlPlane: ControlPlane, world: World, now: Date): ControlPlanePlan | 'finished' => {
    const leaving = order.map((rule) => rule(controlPlane, world)).find((one) => one !== undefined)
    if (!leaving) return 'finished'
    const { steps = [], reason, message } = leaving
    return {
      steps,
      status: {
        state: controlPlane.status?.state,
        observedKubeVersion: controlPlane.status?.observedKubeVersion,
      },
      conditions: { Deleting: yes(reason, message), Ready: no(reason, message) },
      wakeAt: new Date(now.getTime() + AGAIN_MS),
    }
  }

export const teardown = teardownBy(leavingRules)
