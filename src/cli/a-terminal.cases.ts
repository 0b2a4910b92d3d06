// A terminal for tests: types a command line, and sees what is printed.

import { type Command, CommanderError } from 'commander'
import { endOf } from './exit.ts'
import { createProgram } from './program.ts'

export interface Seen {
  readonly out: string
  readonly err: string
  readonly exitCode: number
}

/** Runs the command line as a user would, and returns what it printed and how it exited. */
export async function run(...args: string[]): Promise<Seen> {
  const printed = { out: '', err: '' }
  const program = createProgram({
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
    },
  })
  neverExit(program)
  try {
    await program.parseAsync(args, { from: 'user' })
    return { ...printed, exitCode: 0 }
  } catch (error) {
    if (error instanceof CommanderError) return { ...printed, exitCode: error.exitCode }
    const { exitCode, message } = endOf(error)
    return { ...printed, err: `${printed.err}${message && `${message}\n`}`, exitCode }
  }
}

function neverExit(command: Command): void {
  command.exitOverride()
  for (const one of command.commands) neverExit(one)
}
