import { createHash } from 'node:crypto'
import { access, constants, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { withLock } from './cache-lock.ts'
import { type Go, type GoContext, goBuild, goSettings } from './go.ts'
import { type ModuleName, modules, type ProgramName, programs } from './programs.ts'

/** What one of the Go modules says, word for word: another word is another build. */
export interface Pin {
  readonly module: ModuleName
  readonly goMod: string
  readonly goSum: string
}

export interface Builder extends GoContext {
  readonly go: Go
  readonly modulesFolder: string
}

/** Answers the folder that has the programs, all of one module, after building those it lacks. */
export async function cachedPrograms(
  pin: Pin,
  names: readonly ProgramName[],
  run: Builder,
): Promise<string> {
  const root = cacheRoot(run.env)
  const folder = path.join(root, `${pin.module}-${cacheKey(pin, run.go)}`)
  if ((await absentFrom(folder, names)).length === 0) return folder

  const onWait = (pid: number) =>
    run.log(`${pin.module}: waiting for process ${pid}, which is building in ${root}`)
  await withLock(path.join(root, 'lock'), { onWait, signal: run.signal }, async () => {
    const absent = await absentFrom(folder, names)
    if (absent.length > 0) await build(pin, { names: absent, folder }, run)
  })
  return folder
}

/** Programs appear in the folder complete or not at all, each by one rename. */
async function build(
  { module }: Pin,
  { names, folder }: { names: readonly ProgramName[]; folder: string },
  run: Builder,
): Promise<void> {
  // The process id keeps apart a Go that outlived its killed builder, and goes on writing.
  const partial = `${folder}.partial-${process.pid}`
  const title = names.map((name) => `${name} ${programs[name].version}`).join(', ')
  const started = performance.now()
  run.log(`${module}: building ${title}; about ${modules[module].coldMinutes} minutes when cold`)
  try {
    await mkdir(partial, { recursive: true })
    await goBuild(
      {
        title: module,
        moduleFolder: path.join(run.modulesFolder, module),
        flags: buildFlags(module),
        outputFolder: partial,
        goPackages: names.map((name) => programs[name].goPackage),
      },
      run,
    )
    await mkdir(folder, { recursive: true })
    for (const name of names) {
      await rename(path.join(partial, programs[name].builtAs ?? name), path.join(folder, name))
    }
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  await removeSuperseded(module, folder)
  const seconds = Math.round((performance.now() - started) / 1000)
  run.log(`${module}: done in ${seconds} s: ${await sizes(folder, names)}`)
}

/** Leftovers of killed builds and builds of other pins; whoever calls holds the lock. */
async function removeSuperseded(module: ModuleName, folder: string): Promise<void> {
  const root = path.dirname(folder)
  const ours = new RegExp(`^${module}-[0-9a-f]{16}(\\.partial-\\d+)?$`)
  for (const entry of await readdir(root)) {
    if (!ours.test(entry) || entry === path.basename(folder)) continue
    await rm(path.join(root, entry), { recursive: true, force: true })
  }
}

function cacheRoot(env: NodeJS.ProcessEnv): string {
  const caches = env.XDG_CACHE_HOME || path.join(env.HOME || homedir(), '.cache')
  return path.resolve(caches, 'talos-operator', 'programs')
}

function cacheKey({ module, goMod, goSum }: Pin, go: Go): string {
  const inputs = [goMod, goSum, buildFlags(module), goSettings, go.version, go.os, go.arch]
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16)
}

function buildFlags(module: ModuleName): string[] {
  const stamps = Object.entries(modules[module].stamps).map(
    ([name, value]) => `-X ${name}=${value}`,
  )
  return ['-trimpath', '-ldflags', ['-s', '-w', ...stamps].join(' ')]
}

async function absentFrom(
  folder: string,
  names: readonly ProgramName[],
): Promise<readonly ProgramName[]> {
  const absent: ProgramName[] = []
  for (const name of names) {
    if (!(await isExecutable(path.join(folder, name)))) absent.push(name)
  }
  return absent
}

export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function sizes(folder: string, names: readonly ProgramName[]): Promise<string> {
  const megabytes = async (name: ProgramName) =>
    `${name} ${Math.round((await stat(path.join(folder, name))).size / 1_000_000)} MB`
  return (await Promise.all(names.map(megabytes))).join(', ')
}
