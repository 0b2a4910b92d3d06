import { spawnSync } from 'node:child_process'
import { fail } from './fail.ts'

/** Runs kubectl for the user, who sees all that it says. Ends the program if it fails. */
export const tell = (args: readonly string[], input = ''): void => void run(args, 'inherit', input)

/** Runs kubectl, and returns what it prints. Ends the program if it fails. */
export const ask = (...args: string[]): string => run(args, 'pipe', '')

function run(args: readonly string[], stdout: 'inherit' | 'pipe', input: string): string {
  const result = spawnSync('kubectl', args, {
    input,
    stdio: ['pipe', stdout, 'inherit'],
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (result.error) {
    fail('kubectl could not be run', result.error.message, 'install kubectl and put it on the PATH')
  }
  if (result.status !== 0) process.exit(result.status ?? 1)
  return result.stdout ?? ''
}
