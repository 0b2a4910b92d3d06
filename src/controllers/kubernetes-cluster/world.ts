import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import type { Worker } from '#api/worker.ts'
import type { Brought } from './brought.ts'
import type { Role, Wanted } from './drafts.ts'
import type { FilesSeen } from './results.ts'
import type { Judged } from './shape.ts'

/** What one pass saw of a cluster. */
export interface World {
  judged: Judged
  /** The Machines that are wanted, in order. None while the spec is wrong. */
  wanted: Wanted[]
  /** The cluster's own Machines, whatever they are. */
  machines: ProvidedMachine[]
  /** Objects under the names of wanted ones that are not the cluster's, and Machines of its parts that are not any more. */
  taken: Taken[]
  /** Names of wanted Machines that nobody has, as far as these were asked for. */
  free: string[]
  /** Names of Machines that nobody wants any more, and that the engine still has. */
  held: string[]
  /** Names of Machines that a part has an entry of, and that are gone or go, as the API says. */
  lost: string[]
  /** Names of the engine's machines that are to go, and whose Machine is gone, as the API says. */
  gone: string[]
  /** Whether the API has another spec of the cluster. Asked only where something would go because of it. */
  isOld: boolean
  secrets: SecretsSeen
  files: FilesSeen
  talos: TalosSeen
  /** Other clusters with the same endpoint: `namespace/name`. */
  sameEndpoint: string[]
  /** Another cluster that goes by the name already, while this one has nothing. */
  namesake?: string | undefined
  /** Of a cluster that goes: something of its own that the API has and the caches do not show. */
  leftUnseen?: string | undefined
}

/** An object that is in the way. */
export interface Taken {
  what: string
  /** Who controls it; undefined if nobody does. */
  owner: string | undefined
}

/** What is known of the keys and tokens of the cluster. */
export type SecretsSeen =
  | { is: 'there'; name: string; isInSpec: boolean }
  /** `from`: what of it the user brings. */
  | { is: 'to be made'; name: string; from: 'nothing' | 'spec' | 'secret'; brought: Brought }
  /** They are for the control plane to look for, which is there. `ignored`: what the user brings and they are not. */
  | { is: 'with the control plane'; name: string; isInSpec: boolean; ignored?: string }
  | { is: 'wrong'; problem: string }

/** What the cluster has of the engine's kinds. */
export interface TalosSeen {
  controlPlane: ControlPlane | undefined
  workers: Worker[]
  /** The machines of these, as the engine sees them. */
  machines: Machine[]
}

export type Step =
  | { do: 'createMachine'; machine: string; role: Role }
  | { do: 'updateMachine'; machine: string }
  | { do: 'removeMachine'; machine: string; uid: string; because: string }
  /** Tells the provider that it may take the boot medium of this one away. */
  | { do: 'markInstalled'; machine: string; uid: string }
  | { do: 'writeFiles'; files: string[] }
  | { do: 'removeFiles'; files: string[] }
  | { do: 'createSecrets'; name: string; from: 'nothing' | 'spec' | 'secret' }
  /** `machines`: which Machines it is to have, by their names. */
  | { do: 'applyControlPlane'; name: string; machines: string[]; isNew: boolean }
  | { do: 'applyWorker'; name: string; group: string; machines: string[]; isNew: boolean }
  | { do: 'removePart'; part: PartKind; name: string; uid: string }
  | { do: 'forcePart'; part: PartKind; name: string; uid: string }
  /** Lets the object of a machine go whose Machine is gone for good: nobody is left to be reset. */
  | { do: 'forceTalosMachine'; name: string; uid: string }

export type PartKind = 'TalosControlPlane' | 'TalosWorker'
