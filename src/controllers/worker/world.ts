import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import type { Secret } from '#base/secret.ts'
import type { SecretDraft } from '#engine/cluster-secrets-draft.ts'
import type { ConfigDue } from '#engine/config-delivery.ts'
import type { PoolProblem } from '#engine/pool-input.ts'
import type { MachineStep } from '#engine/pool-machines.ts'
import type { MachinePlan } from '#engine/pool-plan.ts'
import type { PoolWarning } from '#engine/pool-warnings.ts'
import type { Stop } from '#engine/standstill.ts'
import type { TurnStep, TurnsSeen } from '#engine/turn-steps.ts'

/** What one pass saw of a pool of workers. */
export interface World {
  /** Of the cluster that the workers join. */
  controlPlane: ControlPlane | undefined
  /** The machines of the pool. */
  machines: readonly Machine[]
  /** Those of the other pools of its cluster. */
  elsewhere: readonly Machine[]
  /** Those that say that they are ready, and were not looked at since the pool is to have other kubelets. */
  unasked: readonly Machine[]
  /** Those of its machines that do not take the configuration that they are to have, whatever they say at the moment. */
  rejecting: readonly Stop[]
  /** How they differ from those that are wanted. */
  pool: MachinePlan
  /** Whether the API has another spec than the one that this is of. Asked only before a machine goes because of it. */
  isOld: boolean
  /** Whether the control plane is ready as its spec is now, asked of the API when a machine waits for a turn. */
  isControlPlaneReady: boolean
  /** Whether Talos stays as it is in its cluster, because Kubernetes is moved, asked with that. */
  isKubernetesMoving: boolean
  /** Whether workers may get other kubelets, asked with that. */
  mayKubeletsMove: boolean
  /** Whose turn it is to be changed. */
  turns: TurnsSeen
  /** Why an entry leads to no address, the first of them. */
  unresolved: { reason: string; message: string } | undefined
  /** What is wrong with the spec. */
  problem: PoolProblem | undefined
  warnings: readonly PoolWarning[]
  /** The Secret that shows what the machines of the pool have in common. */
  config: { name: string; due: ConfigDue }
  /** What steps are done with. Plans do not look into it. */
  means: { config?: Secret<SecretDraft> }
}

/** What can be done for a pool of workers. */
export type Step =
  | MachineStep
  | TurnStep
  | { do: 'writeConfig'; name: string; isNew: boolean }
  /** Writes down that machines that run are the pool's, by UUID. */
  | { do: 'adopt'; machines: readonly string[] }
