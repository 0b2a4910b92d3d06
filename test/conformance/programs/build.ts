import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findGo, type Go, isRecentEnough } from './go.ts'
import { problem } from './problem.ts'
import { cachedPrograms, isExecutable, type Pin } from './program-cache.ts'
import { type ModuleName, type ProgramName, programNames, programs } from './programs.ts'

export interface ProgramsOptions {
  /** PATH, HOME, XDG_CACHE_HOME and KUBEBUILDER_ASSETS are read from it, and Go is given it. */
  readonly env?: NodeJS.ProcessEnv
  /** Gets a line at each step of a build, and every half minute in between. */
  readonly log?: (line: string) => void
  /** Stops a build or the waiting for another one; what is complete stays in the cache. */
  readonly signal?: AbortSignal
  /** The folder with the Go modules. */
  readonly modulesFolder?: string
}

/**
 * The absolute paths of the executables, by name. What is in neither KUBEBUILDER_ASSETS nor the cache
 * is built first, which takes minutes, one module after the other and one process at a time. Fails
 * with what to do when there is no suitable Go or a build fails.
 */
export async function realPrograms<Name extends ProgramName>(
  names: readonly Name[],
  options: ProgramsOptions = {},
): Promise<Record<Name, string>> {
  const run: Run = {
    env: process.env,
    log: toStderr,
    modulesFolder: import.meta.dirname,
    ...options,
  }
  const paths = await fromKubernetesAssets(names, run.env)
  const wanted = names.filter((name) => !paths.has(name))
  if (wanted.length > 0) {
    const pins = await readPins(wanted, run)
    const go = await suitableGo(wanted, pins, run)
    for (const pin of pins) {
      const members = wanted.filter((name) => programs[name].module === pin.module)
      const folder = await cachedPrograms(pin, members, { ...run, go })
      for (const name of members) paths.set(name, path.join(folder, name))
    }
  }
  return Object.fromEntries(paths) as Record<Name, string> // each name was set above
}

type Run = Required<Omit<ProgramsOptions, 'signal'>> & Pick<ProgramsOptions, 'signal'>

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
    const file = path.resolve(assets, name)
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

async function readPins(names: readonly ProgramName[], { modulesFolder }: Run): Promise<Pin[]> {
  const wanted = new Set(names.map((name) => programs[name].module))
  const read = (module: ModuleName, file: string) =>
    readFile(path.join(modulesFolder, module, file), 'utf8')
  return Promise.all(
    [...wanted].map(async (module) => ({
      module,
      goMod: await read(module, 'go.mod'),
      goSum: await read(module, 'go.sum'),
    })),
  )
}

async function suitableGo(
  names: readonly ProgramName[],
  pins: readonly Pin[],
  { env }: Run,
): Promise<Go> {
  const go = await findGo(env)
  const needed = pins
    .map(({ goMod }) => /^go (\S+)$/m.exec(goMod)?.[1] ?? '0.0')
    .reduce((most, next) => (isRecentEnough(most, next) ? most : next))
  if (go !== undefined && isRecentEnough(go.version, needed)) return go
  const found = go === undefined ? 'there is no Go on the PATH' : `the Go here is ${go.version}`
  throw problem({
    what: `cannot build ${names.join(', ')}: ${found}`,
    why: 'the conformance suites run real programs, compiled from the versions that are pinned here',
    remedy:
      `install Go ${needed} or newer and put it on the PATH; for the Kubernetes programs it is ` +
      'enough to set KUBEBUILDER_ASSETS to a folder that has them',
  })
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}

const help = `Usage: tsx test/conformance/programs/build.ts [name...]

Builds the real programs that the conformance suites run against, all of them unless some are named,
and prints the paths of their executables. What is built already is taken from the cache.

Names: ${programNames.join(', ')}

Environment:
  KUBEBUILDER_ASSETS  a folder with kube-apiserver, etcd and kubectl, to be used instead of building
                      them (and kube-controller-manager, if it is there)
  XDG_CACHE_HOME      where the cache is: talos-operator/programs in this folder, or in ~/.cache
`

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort())
  const names = positionals.length > 0 ? positionals.map(programName) : programNames
  const paths = await realPrograms(names, { signal: stop.signal })
  for (const name of names) process.stdout.write(`${paths[name]}\n`)
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

if (process.argv[1] === import.meta.filename) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    toStderr(describe(error))
    process.exitCode = 1
  })
}
