import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { realPrograms } from '#test/conformance/programs/build.ts'
import type { ProgramName } from '#test/conformance/programs/programs.ts'

const REPOSITORY = join(import.meta.dirname, '..', '..', '..')
const LINE_MS = 100_000

/** What a line came to. */
interface Done {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Someone at a shell in an empty folder. Disposing of it removes the folder. */
export interface AShell extends AsyncDisposable {
  readonly folder: string
  /** Where the sources are, with the manifests that a user installs. */
  readonly repository: string
  /** What the user exports: it holds for all lines to come. */
  readonly exported: Map<string, string>
  /** Runs a line, whatever it comes to. */
  tries(line: string, input?: string): Promise<Done>
  /** Runs a line that must succeed, and yields what it prints. */
  types(line: string, input?: string): Promise<string>
}

/** A shell with these real programs and ours first on the PATH, and a home where nothing is set up. */
export async function aShell(names: readonly ProgramName[]): Promise<AShell> {
  const programs = Object.values(await realPrograms(names))
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-shell-'))
  const folders = [join(REPOSITORY, 'bin'), ...programs.map(dirname), process.env.PATH]
  const exported = new Map([
    ['PATH', folders.join(delimiter)],
    ['HOME', folder],
  ])
  const tries = (line: string, input?: string) =>
    inBash(line, { input, cwd: folder, env: Object.fromEntries(exported) })
  return {
    folder,
    repository: REPOSITORY,
    exported,
    tries,
    types: async (line, input) => {
      const { exitCode, stdout, stderr } = await tries(line, input)
      if (exitCode === 0) return stdout
      throw new Error(`${line}\nended with ${exitCode}:\n${stdout}${stderr}`)
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

interface Surroundings {
  input: string | undefined
  cwd: string
  env: NodeJS.ProcessEnv
}

function inBash(line: string, { input, ...where }: Surroundings): Promise<Done> {
  const limits = { timeout: LINE_MS, maxBuffer: 64 * 1024 * 1024 }
  const running = promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', line], {
    ...where,
    ...limits,
  })
  running.child.stdin?.end(input)
  return running.then(
    (done) => ({ exitCode: 0, ...done }),
    // What ends with another code than 0 has answered as well.
    ({ code, stdout, stderr }) => ({ exitCode: Number(code) || 1, stdout, stderr }),
  )
}
