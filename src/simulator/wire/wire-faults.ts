import type { Cancel } from '#base/clock.ts'

/**
 * What goes wrong between a machine and its callers. Asked for each connection and each call, so it may
 * change at any time; methods are full names, `/machine.MachineService/Version`.
 */
export interface WireFaults {
  /** Connections are reset at once; those that are open end. */
  readonly isUnreachable: boolean
  /** Connections are accepted and nothing ever comes back; those that are open fall silent. */
  readonly isBlackHole: boolean
  /** Connections are accepted and nothing ever comes back; those that are open go on. */
  readonly ignoresNew: boolean
  /** How long every answer of this method is held back, by the clock of the fleet. */
  latencyMs(method: string): number
  /** The call is carried out, but its caller sees the connection break. Asked once a call, when its reply is due. */
  losesReply(method: string): boolean
  /** Told when `isUnreachable`, `isBlackHole` or `ignoresNew` is another. */
  onChange(listener: () => void): Cancel
}

/** A wire that does what wires should. */
export const NO_FAULTS: WireFaults = {
  isUnreachable: false,
  isBlackHole: false,
  ignoresNew: false,
  latencyMs: () => 0,
  losesReply: () => false,
  onChange: () => () => {},
}

/** Whether whoever dials hears nothing. */
export const isSilent = ({ isBlackHole, ignoresNew }: WireFaults): boolean =>
  isBlackHole || ignoresNew
