import { messageOf } from '#base/operator-error.ts'

/** Ends a command with an exit code of its own. Without a message nothing more is printed. */
export class Exit extends Error {
  override readonly name = 'Exit'
  readonly exitCode: number

  constructor(exitCode: number, message = '') {
    super(message)
    this.exitCode = exitCode
  }
}

/** How the program ends after something was thrown, and what it says of it. */
export const endOf = (thrown: unknown): { exitCode: number; message: string } =>
  thrown instanceof Exit
    ? { exitCode: thrown.exitCode, message: thrown.message }
    : { exitCode: 1, message: messageOf(thrown) }
