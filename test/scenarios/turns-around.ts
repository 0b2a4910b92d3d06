import { ControlPlane } from '#api/control-plane.ts'
import type { KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { turnsOf } from '#engine/turns.ts'

/** Who may be changed among those that a machine is one of. */
export interface TurnsAround {
  /** Whether it is the machine itself. */
  readonly isOwn: boolean
  /** How many there are. */
  readonly held: number
  readonly isOfControlPlane: boolean
}

/** The turns that are written down at this moment where a machine belongs. */
export function turnsAround(
  claimed: readonly KubeObject[],
  all: readonly KubeObject[],
): TurnsAround | undefined {
  const [machine] = claimed
  const { workerRef, controlPlaneRef } = Object(machine).spec ?? {}
  const { kind } = workerRef ? Worker : ControlPlane
  const name = (workerRef ?? controlPlaneRef)?.name
  const parent = all.find((one) => one.kind === kind && one.metadata.name === name)
  const { held = [] } = (parent && turnsOf(parent)) ?? {}
  return (
    parent && {
      isOwn: held.some(({ uid }) => uid === machine?.metadata.uid),
      held: held.length,
      isOfControlPlane: !workerRef,
    }
  )
}
