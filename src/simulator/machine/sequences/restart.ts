/** What is to come after a machine has stopped. */
export type RestartKind = 'reboot' | 'kexec' | 'power off'

// Numbers of the Linux kernel, which events carry.
const COMMANDS: Readonly<Record<RestartKind, number>> = {
  reboot: 0x01234567,
  kexec: 0x45584543,
  'power off': 0x4321fedc,
}

export const restartCommand = (kind: RestartKind): number => COMMANDS[kind]

/** The end of a sequence after which the machine is off, or boots anew. Not a failure. */
export class Restart extends Error {
  override readonly name = 'Restart'
  readonly kind: RestartKind

  constructor(kind: RestartKind) {
    super(`the machine is to ${kind}`)
    this.kind = kind
  }
}

/** A step of a sequence that did not succeed. */
export class SequenceFailure extends Error {
  override readonly name = 'SequenceFailure'
}
