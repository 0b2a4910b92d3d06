import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { problem } from '#base/problem.ts'
import { withLock } from './cache-lock.ts'
import { isExecutable } from './program-cache.ts'

const PIN = join(import.meta.dirname, 'node')
const FILES = ['package.json', 'package-lock.json']
const DEADLINE_MS = 10 * 60_000

/**
 * The executable of the Node that the image has. It is fetched with npm on first use, as the lock file pins it, into the
 * cache where the other programs are.
 */
export async function nodeOfTheImage(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const pin = await Promise.all(FILES.map((name) => readFile(join(PIN, name), 'utf8')))
  const key = createHash('sha256').update(pin.join()).digest('hex').slice(0, 16)
  const caches = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache')
  const folder = resolve(caches, 'talos-operator', 'programs', `node-${key}`)
  const executable = join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node')
  if (await isExecutable(executable)) return executable

  const onWait = (pid: number) =>
    process.stderr.write(`node: waiting for process ${pid}, which is fetching it\n`)
  await withLock(join(dirname(folder), 'node-lock'), { onWait }, async () => {
    if (!(await isExecutable(executable))) await fetchInto(folder)
  })
  if (await isExecutable(executable)) return executable
  throw problem({
    what: `there is no ${executable}`,
    why: `the program is tried on the Node of its image, and npm has none for ${process.platform} on ${process.arch}`,
    remedy: 'run the suites on Linux, on x64 or arm64',
  })
}

/** It appears there complete or not at all. */
async function fetchInto(folder: string): Promise<void> {
  const partial = await mkdtemp(`${folder}.partial-`)
  try {
    for (const name of FILES) await cp(join(PIN, name), join(partial, name))
    await promisify(execFile)('npm', ['ci', '--ignore-scripts'], {
      ...{ cwd: partial, timeout: DEADLINE_MS },
    })
    await rm(folder, { recursive: true, force: true })
    await rename(partial, folder)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}
