import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { problem } from '#base/problem.ts'
import { findGoVersion, isRecentEnough } from './go.ts'
import { cachedPrograms, isExecutable, notYetCached, type Pin } from './program-cache.ts'
import { type ModuleName, type ProgramName, programNames, programs } from './programs.ts'

export interface ProgramsOptions {
  /** PATH, HOME, XDG_CACHE_HOME and KUBEBUILDER_ASSETS are read from it, and Go is given it. */
  env?: NodeJS.ProcessEnv
  /** Gets a line at each step of a build, and every half minute in between. */
  log?: (line: string) => void
  /** Stops a build or the waiting for another one; what is complete stays in the cache. */
  signal?: AbortSignal
  /** The folder with the Go modules. */
  modulesFolder?: string
}

/**
 * The absolute paths of the executables, by name. What is in neither KUBEBUILDER_ASSETS nor the cache
 * is built first, which takes minutes, one module after the other and one process at a time. Fails
 * with what to do when something must be built and there is no suitable Go, or a build fails.
 */
export async function realPrograms<Name extends ProgramName>(
  names: readonly Name[],
  options: ProgramsOptions = {},
): Promise<Record<Name, string>> {
  const run = withDefaults(options)
  const paths = await fromKubernetesAssets(names, run.env)
  const wanted = names.filter((name) => !paths.has(name))
  const pins = await readPins(wanted, run)
  const objection = await objectionToBuilding(wanted, pins, run)
  if (objection) throw objection

  for (const pin of pins) {
    const members = membersOf(pin, wanted)
    const folder = await cachedPrograms(pin, members, run)
    for (const name of members) paths.set(name, join(folder, name))
  }
  return Object.fromEntries(paths) as Record<Name, string> // each name was set above
}

/**
 * The same for those programs that are to be had: what is absent and cannot be built for lack of a
 * suitable Go is left out, with a line to the log. A build that fails is an error all the same.
 */
export async function availablePrograms<Name extends ProgramName>(
  names: readonly Name[],
  options: ProgramsOptions = {},
): Promise<Partial<Record<Name, string>>> {
  const run = withDefaults(options)
  const paths = await fromKubernetesAssets(names, run.env)
  const available: Name[] = []
  for (const name of names) {
    const wanted = paths.has(name) ? [] : [name]
    const objection = await objectionToBuilding(wanted, await readPins(wanted, run), run)
    const [what] = objection?.message.split('\n') ?? []
    if (what) run.log(`${what}; going on without it`)
    else available.push(name)
  }
  return realPrograms(available, options)
}

type Run = Required<Omit<ProgramsOptions, 'signal'>> & Pick<ProgramsOptions, 'signal'>

const withDefaults = (options: ProgramsOptions): Run => ({
  env: process.env,
  log: toStderr,
  modulesFolder: import.meta.dirname,
  ...options,
})

const membersOf = (pin: Pin, names: ProgramName[]): ProgramName[] =>
  names.filter((name) => programs[name].module === pin.module)

async function fromKubernetesAssets(
  names: readonly ProgramName[],
  env: NodeJS.ProcessEnv,
): Promise<Map<ProgramName, string>> {
  const found = new Map<ProgramName, string>()
  const assets = env.KUBEBUILDER_ASSETS
  if (!assets) return found
  for (const name of names) {
    const { inKubernetesAssets } = programs[name]
    if (inKubernetesAssets === undefined) continue
    const file = resolve(assets, name)
    if (await isExecutable(file)) found.set(name, file)
    else if (inKubernetesAssets === 'always') throw missingAsset(file)
  }
  return found
}

function missingAsset(file: string): Error {
  return problem({
    what: `there is no executable ${file}`,
    why: 'KUBEBUILDER_ASSETS is set, so the Kubernetes programs are taken from that folder',
    remedy: 'put the program there, or unset KUBEBUILDER_ASSETS to have it built',
  })
}

async function readPins(names: ProgramName[], { modulesFolder }: Run): Promise<Pin[]> {
  const wanted = new Set(names.map((name) => programs[name].module))
  const read = (module: ModuleName, file: string) =>
    readFile(join(modulesFolder, module, file), 'utf8')
  return Promise.all(
    [...wanted].map(async (module) => ({
      module,
      goMod: await read(module, 'go.mod'),
      goSum: await read(module, 'go.sum'),
    })),
  )
}

/** Why the programs cannot be built, if some of them have to be. */
async function objectionToBuilding(
  names: ProgramName[],
  pins: Pin[],
  { env }: Run,
): Promise<Error | undefined> {
  const absent: ProgramName[] = []
  let needed = '0.0'
  for (const pin of pins) {
    const members = await notYetCached(pin, membersOf(pin, names), env)
    absent.push(...members)
    const next = /^go (\S+)$/m.exec(pin.goMod)?.[1] ?? '0.0'
    if (members.length > 0 && !isRecentEnough(needed, next)) needed = next
  }
  if (absent.length === 0) return undefined

  const version = await findGoVersion(env)
  if (version !== undefined && isRecentEnough(version, needed)) return undefined
  const found = version === undefined ? 'there is no Go on the PATH' : `the Go here is ${version}`
  return problem({
    what: `cannot build ${absent.join(', ')}: ${found}`,
    why: 'the conformance suites run real programs, compiled from the versions that are pinned here',
    remedy: `install Go ${needed} or newer and put it on the PATH${withoutGo(absent, env)}`,
  })
}

function withoutGo(absent: ProgramName[], env: NodeJS.ProcessEnv): string {
  const names = absent.filter((name) => programs[name].inKubernetesAssets).join(', ')
  if (!names) return ''
  return env.KUBEBUILDER_ASSETS
    ? `, or put ${names} into ${env.KUBEBUILDER_ASSETS}, where the others are`
    : `; for ${names} it is enough to set KUBEBUILDER_ASSETS to a folder that has them`
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}

const HELP = `Usage: tsx test/conformance/programs/build.ts [--available] [name...]

Builds the real programs that the conformance suites run against, all of them unless some are named,
and prints the paths of their executables. What is built already is taken from the cache, and needs
no Go.

Names: ${programNames.join(', ')}

Options:
  --available  go on without what cannot be built for lack of a suitable Go, and say what that is

Environment:
  KUBEBUILDER_ASSETS  a folder with kube-apiserver, etcd and kubectl, to be used instead of building
                      them (and kube-controller-manager, if it is there)
  XDG_CACHE_HOME      where the cache is: talos-operator/programs in this folder, or in ~/.cache
`

async function main(args: string[], signal: AbortSignal): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, available: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const names = positionals.length > 0 ? positionals.map(programName) : programNames
  const get = values.available ? availablePrograms : realPrograms
  const paths = Object.values(await get(names, { signal }))
  process.stdout.write(paths.map((path) => `${path}\n`).join(''))
}

function programName(word: string): ProgramName {
  const name = programNames.find((known) => known === word)
  if (name !== undefined) return name
  throw problem({
    what: `there is no program named ${word}`,
    why: 'only what is pinned here can be built',
    remedy: `name one of ${programNames.join(', ')}`,
  })
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // What Node or the system refuses has a code and needs no stack; the rest are bugs.
  const isPlain = error.name === 'Problem' || 'code' in error
  return isPlain ? error.message : (error.stack ?? error.message)
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 }

async function commandLine(): Promise<void> {
  const stop = new AbortController()
  const onSignal = (signal: keyof typeof EXIT_CODES) => {
    process.exitCode = EXIT_CODES[signal]
    stop.abort()
  }
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    await main(process.argv.slice(2), stop.signal)
  } catch (error) {
    toStderr(
      stop.signal.aborted ? 'stopped; what was complete stays in the cache' : describe(error),
    )
    process.exitCode ??= 1
  }
}

if (process.argv[1] === import.meta.filename) await commandLine()
