import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { realPrograms } from './programs/build.ts'

const DEADLINE_MS = 60_000

interface Finished {
  exitCode: number
  stdout: string
  stderr: string
}

export type Run = (command: string, args: string[], input?: string) => Promise<Finished>

/** Runs commands as a user would, with the real kubectl and helm first on the PATH. */
export async function userOf(kubeconfig: string): Promise<Run> {
  const programs = await realPrograms(['kubectl', 'helm'])
  const folders = Object.values(programs).map((program) => dirname(program))
  const env = {
    ...process.env,
    PATH: [...folders, process.env.PATH].join(':'),
    KUBECONFIG: kubeconfig,
    FORCE: '',
  }
  return async (command, args, input) => {
    const running = promisify(execFile)(command, args, {
      env,
      timeout: DEADLINE_MS,
      maxBuffer: 64 * 1024 * 1024,
    })
    running.child.stdin?.end(input)
    return running.then(
      ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
      // execFile rejects when the exit code is not 0, which is an answer like any other here.
      ({ code, stdout, stderr }) => ({ exitCode: Number(code) || 1, stdout, stderr }),
    )
  }
}
