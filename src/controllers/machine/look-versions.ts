import { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import { keepsTalos, letsKubeletsMove } from '#engine/kubelet-moves.ts'
import { liveObject } from '#engine/live-object.ts'
import type { Reader } from '#runtime/reader.ts'
import { type Around, whatFor } from './rules/upgrade-aim.ts'
import type { World } from './world.ts'

export const VERSIONS_UNASKED = { isKubernetesMoving: false, mayKubeletsMove: false }

/**
 * What its control plane says of other versions at this moment. That is written down before it is looked who has a turn, and a
 * turn is given before this is asked: so of another Talos and another Kubernetes one sees the other.
 */
export async function lookAtVersions(
  machine: Machine,
  { parent, turn, ...around }: Around & Pick<World, 'parent' | 'turn'>,
  read: Pick<Reader, 'fetchAny'>,
): Promise<Pick<World, 'isKubernetesMoving' | 'mayKubeletsMove'>> {
  const { seen, change } = around
  if (seen.is !== 'member' || parent.is !== 'there') return VERSIONS_UNASKED
  const isKubeletMoved = parent.worker !== undefined && change?.moved.includes('kubelet') === true
  if (!whatFor(machine, around) && !isKubeletMoved) return VERSIONS_UNASKED
  const cached = parent.controlPlane
  // Whoever only waits does no harm by an old view.
  const isActing = turn !== undefined
  const live = isActing && (await liveObject(ControlPlane, cached.metadata.name, read))
  const controlPlane = live || cached
  return {
    isKubernetesMoving: keepsTalos(controlPlane),
    mayKubeletsMove: letsKubeletsMove(controlPlane),
  }
}
