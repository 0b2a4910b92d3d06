import type { Clock } from '#base/clock.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import type { Roles } from './roles.ts'

/** One call, as the method that answers it sees it. */
export interface Call {
  /** Whose method it is. */
  readonly machine: Machine
  readonly roles: Roles
  /** Of the fleet. */
  readonly clock: Clock
  /** Of the world in which certificates are judged. */
  readonly wallClock: Clock
  /** Aborts when the caller has gone, or its deadline has passed. */
  readonly signal: AbortSignal
  /** The other machines that this one can find: those of its own cluster. */
  readonly peers: () => readonly Machine[]
}
