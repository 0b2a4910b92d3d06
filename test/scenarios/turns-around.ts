import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { maxUnavailable } from '#engine/max-unavailable.ts'
import { turnsOf } from '#engine/turns.ts'

/** Who may be changed among those that a machine is one of. */
export interface TurnsAround {
  /** Whether it is the machine itself. */
  readonly isOwn: boolean
  /** How many there are. */
  readonly held: number
  /** How many there may be. */
  readonly allowed: number
  readonly isOfControlPlane: boolean
}

/** The turns that are written down at this moment where a machine belongs. */
export function turnsAround(
  claimed: readonly KubeObject[],
  all: readonly KubeObject[],
): TurnsAround | undefined {
  const [machine] = claimed
  const parent = parentOf(machine, all)
  const { held = [] } = (parent && turnsOf(parent)) ?? {}
  return (
    parent && {
      isOwn: held.some(({ uid }) => uid === machine?.metadata.uid),
      held: held.length,
      allowed: allowedIn(parent, all),
      isOfControlPlane: parent.kind === ControlPlane.kind,
    }
  )
}

/** The number of the turn that a machine has at this moment, as it is written down. */
export function turnHeldBy(machine: KubeObject, all: readonly KubeObject[]): number | undefined {
  const parent = parentOf(machine, all)
  const { held = [] } = (parent && turnsOf(parent)) ?? {}
  return held.find(({ uid }) => uid === machine.metadata.uid)?.id
}

/** The control plane or the pool that a TalosMachine is one of. */
export function parentOf(
  machine: KubeObject | undefined,
  all: readonly KubeObject[],
): KubeObject | undefined {
  if (machine?.kind !== Machine.kind) return undefined
  const { workerRef, controlPlaneRef } = Object(machine).spec ?? {}
  const { kind } = workerRef ? Worker : ControlPlane
  const name = (workerRef ?? controlPlaneRef)?.name
  return all.find((one) => one.kind === kind && one.metadata.name === name)
}

/** As many machines of a control plane or a pool as may be down at once. */
export function allowedIn(parent: KubeObject, all: readonly KubeObject[]): number {
  if (parent.kind !== Worker.kind) return 1
  const { rolloutStrategy } = Object(parent).spec ?? {}
  return maxUnavailable(
    rolloutStrategy?.rollingUpdate?.maxUnavailable,
    all.filter((one) => Object(one).spec?.workerRef?.name === parent.metadata.name).length,
  )
}
