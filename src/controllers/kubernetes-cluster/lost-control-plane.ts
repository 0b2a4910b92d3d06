import { FORCE_DELETION } from '#api/labels.ts'
import { standingOf } from './entries.ts'
import type { World } from './world.ts'

/**
 * That every control plane machine is gone with its Machine, in a sentence; undefined while there is one. There is no
 * etcd left that a new one could join, and to begin another would be to begin the cluster twice.
 */
export function lostControlPlane(world: World): string | undefined {
  const { controlPlane } = world.talos
  if (!controlPlane) return undefined
  const wanted = world.wanted.map(({ name }) => name)
  const { lost, isAnyThere } = standingOf(controlPlane, wanted, world)
  if (lost.length === 0 || isAnyThere) return undefined
  return `somebody deleted ${lost.join(', ')}, and with that the last member of etcd: a new machine has nothing to join, and a cluster is begun only once, so nothing is done to the new one. If nothing that was in the cluster is needed any more, annotate it with ${FORCE_DELETION}=true, delete it and create it anew`
}
