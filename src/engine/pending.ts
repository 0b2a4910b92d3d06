import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import { isRestrained } from '#runtime/reconcile-mode.ts'
import { kubeletPhase } from './kubelet-moves.ts'
import { kubernetesRecord } from './kubernetes-record.ts'
import { isCurrent, isTrue } from './pool-machines.ts'
import { isLeaving } from './removal.ts'

/** Why a machine is not ready that is well, and only waits to be changed. */
export const CONFIG_PENDING = 'ConfigPending'
export const UPGRADE_PENDING = 'UpgradePending'

/** Why a control plane is not ready that is well, while Kubernetes is upgraded, and before; the latter is said by workers, too. */
export const UPGRADING_KUBERNETES = 'UpgradingKubernetes'
export const KUBERNETES_PENDING = 'KubernetesUpgradePending'

/** Why a control plane is not ready that is well, and is not being changed. */
const AT_REST: readonly string[] = [
  KUBERNETES_PENDING,
  'KubernetesPathUnsupported',
  'KubeletTooOld',
  'KubeletTooNew',
  'KubernetesRemovesInUse',
  'KubernetesImagePinned',
]

/** Whether workers may be changed, as far as their control plane goes. */
export function isOutOfTheWay(controlPlane: ControlPlane): boolean {
  const { metadata, status } = controlPlane
  if (status?.observedGeneration !== metadata.generation) return false
  const { status: is, reason = '' } = status?.conditions?.find(({ type }) => type === 'Ready') ?? {}
  // Its own part of an upgrade of Kubernetes is over, or there is none, and the workers' has come.
  const isOfWorkers =
    kubernetesRecord(controlPlane)?.stage === 'workers' || kubeletPhase(controlPlane) !== undefined
  const isWorkersTurn = reason === UPGRADING_KUBERNETES && isOfWorkers
  return is === 'True' || isWorkersTurn || AT_REST.includes(reason)
}

const PENDING: readonly string[] = [CONFIG_PENDING, UPGRADE_PENDING, KUBERNETES_PENDING]

/** Whether nothing is the matter with a machine, but for what is still to be changed on it. */
export const isWell = (machine: Machine): boolean =>
  isTrue(machine, 'Ready') ||
  (machine.status?.conditions ?? []).some(
    ({ type, reason }) => type === 'Ready' && PENDING.includes(reason),
  )

/** The same, of the spec that it has now. What was said of an older one says nothing. */
export const isWellNow = (machine: Machine): boolean => isWell(machine) && isCurrent(machine)

/** Whether another machine may leave while this one stays. Of one that is left alone nobody hears anything new. */
export const letsOthersLeave = (machine: Machine): boolean =>
  isRestrained(machine) ? isWell(machine) : isWellNow(machine)

/**
 * Those that wait for a turn, in the order in which they get one: what is not well may be mended by it. One that is left alone
 * would keep it, and never use it.
 */
export function waitingForTurn(machines: readonly Machine[]): Machine[] {
  const waiting = machines.filter(
    (machine) =>
      machine.status?.pending !== undefined && !isLeaving(machine) && !isRestrained(machine),
  )
  return [
    ...waiting.filter((machine) => !isWell(machine)),
    ...waiting.filter((machine) => isWell(machine)),
  ]
}
