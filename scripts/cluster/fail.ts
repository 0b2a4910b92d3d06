import { problem } from '#base/problem.ts'

/** Ends the program with what is wrong, why, and what to do. */
export function fail(what: string, why: string, remedy: string): never {
  process.stderr.write(`${problem({ what, why, remedy }).message}\n`)
  process.exit(1)
}
