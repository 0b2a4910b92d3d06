import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { availablePrograms, realPrograms } from './programs/build.ts'

const DEADLINE_MS = 120_000

interface Finished {
  exitCode: number
  stdout: string
  stderr: string
}

export type Run = (command: string, args: string[], input?: string) => Promise<Finished>

/**
 * Runs commands as a user would, with the real kubectl and helm first on the PATH. Where helm is not
 * to be had, running it fails with what to do.
 */
export async function userOf(kubeconfig: string): Promise<Run> {
  const programs = { ...(await realPrograms(['kubectl'])), ...(await availablePrograms(['helm'])) }
  const folders = Object.values(programs).map((program) => dirname(program))
  const env = {
    ...withoutMake(process.env),
    PATH: [...folders, process.env.PATH].join(':'),
    KUBECONFIG: kubeconfig,
    FORCE: '',
  }
  return async (command, args, input) => {
    // Another helm further down the PATH must not do, in a script neither.
    if ([command, ...args].some((word) => /\bhelm\b/.test(word))) await realPrograms(['helm'])
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

/** Without what an outer make hands down: its options and variables would change an inner make. */
function withoutMake(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { MAKEFLAGS, MAKEOVERRIDES, MAKELEVEL, MFLAGS, ...rest } = env
  return rest
}
