import type { ControlPlane } from '#api/control-plane.ts'
import type { Worker } from '#api/worker.ts'
import type { Verdict } from '#runtime/plan.ts'
import { stuck } from './stuck.ts'

/** Why a pool has no control plane to join; undefined if it has. */
export function noControlPlane(
  { spec }: Worker,
  controlPlane: ControlPlane | undefined,
): Verdict | undefined {
  const name = spec?.controlPlaneRef?.name
  if (!name) {
    return stuck(
      'ControlPlaneNotSet',
      'spec.controlPlaneRef.name names the cluster to join: set it',
    )
  }
  if (controlPlane) return undefined
  return stuck(
    'ControlPlaneNotFound',
    `TalosControlPlane ${name} is not there: create it, or correct spec.controlPlaneRef`,
  )
}
