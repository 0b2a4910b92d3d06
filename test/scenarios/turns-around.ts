import { ControlPlane } from '#api/control-plane.ts'
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
  const { workerRef } = Object(machine).spec ?? {}
  const parent = parentOf(machine, all)
  const { held = [] } = (parent && turnsOf(parent)) ?? {}
  return (
    parent && {
      isOwn: held.some(({ uid }) => uid === machine?.metadata.uid),
      held: held.length,
      allowed: workerRef ? allowedIn(parent as Worker, all) : 1, // of that kind
      isOfControlPlane: !workerRef,
    }
  )
}

/** The number of the turn that a machine has at this moment, as it is written down. */
export function turnHeldBy(machine: KubeObject, all: readonly KubeObject[]): number | undefined {
  const parent = parentOf(machine, all)
  const { held = [] } = (parent && turnsOf(parent)) ?? {}
  return held.find(({ uid }) => uid === machine.metadata.uid)?.id
}

function parentOf(machine: KubeObject | undefined, all: readonly KubeObject[]) {
  const { workerRef, controlPlaneRef } = Object(machine).spec ?? {}
  const { kind } = workerRef ? Worker : ControlPlane
  const name = (workerRef ?? controlPlaneRef)?.name
  return all.find((one) => one.kind === kind && one.metadata.name === name)
}

/** As many machines of a pool as may be down. */
const allowedIn = ({ metadata, spec }: Worker, all: readonly KubeObject[]): number =>
  maxUnavailable(
    spec?.rolloutStrategy.rollingUpdate?.maxUnavailable,
    all.filter((one) => Object(one).spec?.workerRef?.name === metadata.name).length,
  )
