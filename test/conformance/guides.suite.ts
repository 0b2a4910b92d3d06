import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { realPrograms } from './programs/build.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const GUIDES = join('docs', 'guides')
// An upgrade of Kubernetes watches each machine for half a minute, once for each component.
const GUIDE_MS = 15 * 60_000

const guides = [
  ...(await readdir(join(ROOT, GUIDES))).map((name) => join(GUIDES, name)),
  join('examples', 'talos-client', 'README.md'),
]
const programs = await realPrograms(['talosctl', 'kubectl', 'helm'])

describe('what a guide tells to type', () => {
  test.each(guides)('works, in %s', { timeout: GUIDE_MS + 30_000 }, async (name) => {
    const lines = commandsIn(await readFile(join(ROOT, name), 'utf8'))
    expect(lines).not.toBe('')
    await using folder = await aFolder()
    const { exitCode, output } = await typed(lines, folder.path)
    const said = exitCode === 0 ? '' : await logsIn(folder.path)
    expect(exitCode, `${output.slice(-4000)}${said}`).toBe(0)
  })
})

/** The ends of what the programs wrote that a guide has started: it may be waiting for one that never began. */
async function logsIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'))
  const ends = names.map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8')
    return `\n--- ${name}\n${text.slice(-2000)}`
  })
  return (await Promise.all(ends)).join('')
}

/** All that is in blocks of shell; what cannot be run here is in blocks of another name. */
const commandsIn = (guide: string): string =>
  [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines).join('\n')

/** Runs it as one shell would, and ends whatever it has started, in time or not. */
async function typed(lines: string, folder: string) {
  const path = [...Object.values(programs).map(dirname), process.env.PATH].join(delimiter)
  const shell = spawn('bash', ['-e', '-o', 'pipefail', '-c', lines], {
    cwd: folder,
    env: { ...process.env, PATH: path, HOME: folder },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  shell.stdout.on('data', (bytes) => output.push(bytes))
  shell.stderr.on('data', (bytes) => output.push(bytes))
  const cancel = systemClock.after(GUIDE_MS, () => endGroup(shell.pid))
  const [exitCode] = await once(shell, 'exit')
  cancel()
  endGroup(shell.pid)
  return { exitCode, output: Buffer.concat(output).toString() }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it is gone already.
  }
}

// What guides are read beside.
const PARTS = ['bin', 'charts', 'config', 'examples', 'node_modules']

/** A folder in which `bin/talos-operator` and what is installed with it are there, as in the repository. */
async function aFolder() {
  const path = await mkdtemp(join(tmpdir(), 'talos-operator-guide-'))
  for (const part of PARTS) await symlink(join(ROOT, part), join(path, part))
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
