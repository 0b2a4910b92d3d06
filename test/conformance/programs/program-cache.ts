import { createHash } from 'node:crypto'
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  utimes,
} from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { withLock } from './cache-lock.ts'
import { GO_SETTINGS, type GoContext, goBuild } from './go.ts'
import { type ModuleName, modules, type ProgramName, programs } from './programs.ts'

const DAY_MS = 86_400_000
// Other checkouts use the same cache, with pins of their own: only what nobody wants any more goes.
const KEEP_UNUSED_MS = 14 * DAY_MS
const KEEP_PARTIAL_MS = DAY_MS

/** What one of the Go modules says, word for word: another word is another build. */
export interface Pin {
  module: ModuleName
  goMod: string
  goSum: string
}

export interface Builder extends GoContext {
  modulesFolder: string
}

/** Those of the programs, all of one module, that would have to be built. */
export const notYetCached = (
  pin: Pin,
  names: ProgramName[],
  env: NodeJS.ProcessEnv,
): Promise<ProgramName[]> => absentFrom(folderOf(pin, env), names)

/** Answers the folder that has the programs, all of one module, after building those it lacks. */
export async function cachedPrograms(
  pin: Pin,
  names: ProgramName[],
  run: Builder,
): Promise<string> {
  const folder = folderOf(pin, run.env)
  if ((await absentFrom(folder, names)).length === 0) {
    await markUsed(folder)
    return folder
  }

  const root = dirname(folder)
  const onWait = (pid: number) =>
    run.log(`${pin.module}: waiting for process ${pid}, which is building in ${root}`)
  await withLock(join(root, 'lock'), { onWait, signal: run.signal }, async () => {
    const absent = await absentFrom(folder, names)
    if (absent.length > 0) await build(pin, { names: absent, folder }, run)
  })
  return folder
}

async function markUsed(folder: string): Promise<void> {
  const now = new Date()
  // A cache that somebody else owns serves as well.
  await utimes(folder, now, now).catch(() => {})
}

/** Programs appear in the folder complete or not at all, each by one rename. */
async function build(
  { module }: Pin,
  { names, folder }: { names: ProgramName[]; folder: string },
  run: Builder,
): Promise<void> {
  const title = names.map((name) => `${name} ${programs[name].version}`).join(', ')
  const started = performance.now()
  run.log(`${module}: building ${title}; about ${modules[module].coldMinutes} minutes when cold`)
  // A name of its own keeps apart a Go that outlived its killed builder, and goes on writing.
  const partial = await mkdtemp(`${folder}.partial-`)
  try {
    await goBuild(
      {
        title: module,
        moduleFolder: join(run.modulesFolder, module),
        flags: buildFlags(module),
        outputFolder: partial,
        goPackages: names.map((name) => programs[name].goPackage),
      },
      run,
    )
    await mkdir(folder, { recursive: true })
    for (const name of names) {
      await rename(join(partial, programs[name].builtAs ?? name), join(folder, name))
    }
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  await markUsed(folder)
  await removeUnused(module, dirname(folder))
  const seconds = Math.round((performance.now() - started) / 1000)
  run.log(`${module}: done in ${seconds} s: ${await sizes(folder, names)}`)
}

/** Removes the module's old builds and what killed builders left; whoever calls holds the lock. */
async function removeUnused(module: ModuleName, root: string): Promise<void> {
  const ours = new RegExp(`^${module}-[0-9a-f]{16}(\\.partial-\\w+)?$`)
  for (const entry of await readdir(root)) {
    const [isOurs, partial] = ours.exec(entry) ?? []
    if (!isOurs) continue
    const keepMs = partial ? KEEP_PARTIAL_MS : KEEP_UNUSED_MS
    const { mtimeMs } = await stat(join(root, entry))
    if (Date.now() - mtimeMs < keepMs) continue
    await rm(join(root, entry), { recursive: true, force: true })
  }
}

function folderOf(pin: Pin, env: NodeJS.ProcessEnv): string {
  const caches = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache')
  return resolve(caches, 'talos-operator', 'programs', `${pin.module}-${cacheKey(pin)}`)
}

// The pins decide what is built, not the Go that builds it: a full cache serves without any Go.
function cacheKey({ module, goMod, goSum }: Pin): string {
  const inputs = [goMod, goSum, buildFlags(module), GO_SETTINGS]
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16)
}

function buildFlags(module: ModuleName): string[] {
  const stamps = Object.entries(modules[module].stamps).map(
    ([name, value]) => `-X ${name}=${value}`,
  )
  return ['-trimpath', '-ldflags', ['-s', '-w', ...stamps].join(' ')]
}

async function absentFrom(folder: string, names: ProgramName[]): Promise<ProgramName[]> {
  const absent: ProgramName[] = []
  for (const name of names) {
    if (!(await isExecutable(join(folder, name)))) absent.push(name)
  }
  return absent
}

export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function sizes(folder: string, names: ProgramName[]): Promise<string> {
  const megabytes = async (name: ProgramName) =>
    `${name} ${Math.round((await stat(join(folder, name))).size / 1_000_000)} MB`
  return (await Promise.all(names.map(megabytes))).join(', ')
}
