import type { ControlPlane } from '#api/control-plane.ts'
import { KUBELETS } from '#api/labels.ts'
import { isMoving, kubernetesRecord } from './kubernetes-record.ts'

// A pool may get other kubelets without an upgrade of its cluster: its own `kubeVersion` was raised, or a machine was off while
// the others were upgraded. Talos stays as it is meanwhile, on all machines of the cluster, so its control plane says when.

/**
 * `preparing`: no upgrade of Talos begins any more, and those under way are waited for. `moving`: kubelets of workers may be
 * changed. `ending`: no more of them, and those under way are waited for.
 */
export type KubeletPhase = (typeof PHASES)[number]

const PHASES = ['preparing', 'moving', 'ending'] as const

/** Undefined: nothing of it is under way. What cannot be read can only end. */
export function kubeletPhase({ metadata }: ControlPlane): KubeletPhase | undefined {
  const said = metadata.annotations?.[KUBELETS]
  return said === undefined ? undefined : (PHASES.find((one) => one === said) ?? 'ending')
}

/** Whether Talos stays as it is on all machines of a cluster, because its Kubernetes is moved. */
export const keepsTalos = (controlPlane: ControlPlane): boolean =>
  isMoving(controlPlane) || kubeletPhase(controlPlane) !== undefined

/** Whether workers may be given other kubelets at present: then Talos is kept. */
export const letsKubeletsMove = (controlPlane: ControlPlane): boolean =>
  kubeletPhase(controlPlane) === 'moving' || kubernetesRecord(controlPlane)?.stage === 'workers'
