import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { parseYaml, toYaml } from '#base/yaml.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { kubeconfigFor, readKubeconfig } from '#test/misbehaving/admin-kubeconfig.ts'
import { normalisedText } from './kubectl-normalise.ts'

const DEADLINE_MS = 120_000

/** What one line of a script did, as far as it can be equal on two APIs. */
export interface Outcome {
  line: string
  exitCode: number
  stdout: string[]
  stderr: string[]
}

/** Someone at a shell with kubectl on the PATH, in a folder and a namespace of a case. */
export interface Session extends AsyncDisposable {
  /** Runs one line of shell. */
  run(line: string): Promise<Outcome>
}

export interface SessionOptions {
  kubeconfig: string
  /** The namespace, which must be there. */
  id: string
  /** Written into the folder in which the lines run. An object becomes YAML. */
  files: Record<string, unknown>
}

/** Opens a session. Disposing of it removes its files. */
export async function openSession({ kubeconfig, id, files }: SessionOptions): Promise<Session> {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-kubectl-'))
  const own = join(folder, '.kubeconfig')
  const access = await readKubeconfig(kubeconfig)
  const context = { cluster: 'test', user: 'test', namespace: id }
  const config = {
    ...Object(parseYaml(kubeconfigFor(access))),
    contexts: [{ name: 'test', context }],
  }
  await writeFile(own, toYaml(config), { mode: 0o600 })
  await writeFiles(folder, files)
  const { kubectl } = await realPrograms(['kubectl'])
  const env = {
    ...{ PATH: `${dirname(kubectl)}:${process.env.PATH}`, HOME: dirname(kubeconfig) },
    ...{ KUBECONFIG: own, NAMESPACE: id, TZ: 'UTC', KUBE_EDITOR: 'false' },
  }
  const origin = { id, folder, server: access.server }
  return {
    run: async (line) => {
      const { exitCode, stdout, stderr } = await inShell(line, { cwd: folder, env })
      const shown = (text: string) => normalisedText(text, origin).split('\n').filter(Boolean)
      return { line, exitCode, stdout: shown(stdout), stderr: shown(stderr) }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

async function inShell(
  line: string,
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const limits = { timeout: DEADLINE_MS, maxBuffer: 64 * 1024 * 1024 }
  const running = promisify(execFile)('/bin/sh', ['-c', line], { ...options, ...limits })
  running.child.stdin?.end()
  return running.then(
    (finished) => ({ exitCode: 0, ...finished }),
    ({ code, stdout, stderr }) => ({ exitCode: Number(code) || 1, stdout, stderr }),
  )
}

async function writeFiles(folder: string, files: Record<string, unknown>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : documents(content), {
      mode: 0o755, // some are scripts
    })
  }
}

const documents = (content: unknown): string =>
  (Array.isArray(content) ? content : [content]).map((one) => toYaml(one)).join('---\n')
