import type { FaultName } from './fault-kinds.ts'

/** Something that goes wrong. */
export interface Fault {
  readonly name: FaultName
  /** The address, UUID or host name of a machine. Undefined: all. */
  readonly machine: string | undefined
  /** What else is told about it; durations in milliseconds, as text. */
  readonly options: ReadonlyMap<string, string>
  /** How often it strikes; `Infinity` for always. */
  readonly times: number
  /** From when on, counted from the moment it was added. */
  readonly afterMs: number
  /** Until it is over by itself. */
  readonly forMs: number | undefined
}

/** By what a fault knows a machine. */
export interface FaultTarget {
  readonly address: string
  readonly uuid: string
  readonly hostname: string
}

/** Whether a fault is about this machine. */
export const isAbout = ({ machine }: Fault, target: FaultTarget): boolean =>
  machine === undefined || [target.address, target.uuid, target.hostname].includes(machine)
