import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { nodeOfTheImage } from '#test/conformance/programs/from-npm.ts'
import { type Instruction, ignoredBy, type Stage, stagesOf } from '#test/repo/dockerfile.ts'
import { filesMatching, root, textOf } from '#test/repo/tree.ts'

const STAGE_MS = 10 * 60_000

/** What TARGETARCH can be. */
export type Architecture = 'amd64' | 'arm64'

export const HOST: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'

/** A stage of the Dockerfile as it would be, without what its base image has. Disposing of it removes it. */
export interface Layout extends AsyncDisposable {
  /** Stands for the root of its disk. */
  path: string
  /** The words of an instruction of it; none, where it has no such. */
  words(instruction: string): string[]
}

/**
 * Does by hand what the Dockerfile says, without Docker: copies what it copies, from what .dockerignore leaves, and runs
 * what it runs, in folders that stand for the disks of its stages. `stage`: the one that is wanted, with those that it
 * copies from; the last one, unless told. Fails with what was said by whatever failed.
 */
export async function layoutOf(
  options: { stage?: string; architecture?: string } = {},
): Promise<Layout> {
  const { architecture = HOST } = options
  const stages = stagesOf(await textOf('Dockerfile'))
  const wanted = stages.find(({ name }) => name === options.stage) ?? stages.at(-1)
  if (!wanted) throw new Error('the Dockerfile has no stage')
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-image-'))
  await chmod(folder, 0o755)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const builder = await builderIn(folder, architecture)
    for (const stage of stages.filter((one) => isNeeded(one, wanted))) {
      await make(stage, builder)
    }
  } catch (error) {
    await remove()
    throw error
  }
  return {
    path: join(folder, wanted.name),
    words: (word) => wanted.instructions.find((one) => one.word === word)?.words ?? [],
    [Symbol.asyncDispose]: remove,
  }
}

// Stages that copy from another one which copies from a third are not among ours.
const isNeeded = (stage: Stage, wanted: Stage): boolean =>
  stage === wanted || wanted.instructions.some(({ flags }) => flags.from === stage.name)

interface Builder {
  diskOf(stage: string): string
  /** What a command finds: the Node of the image comes first, whatever else the machine has. */
  env: NodeJS.ProcessEnv
  /** What is known without a Dockerfile that says it. */
  given: Record<string, string>
  /** The files of the repository that the builder is given. */
  files: string[]
}

async function builderIn(folder: string, architecture: string): Promise<Builder> {
  const { NODE_OPTIONS, NODE_ENV, ...rest } = process.env
  const isIgnored = ignoredBy(await textOf('.dockerignore'))
  return {
    diskOf: (stage) => join(folder, stage),
    env: {
      ...rest,
      PATH: [dirname(await nodeOfTheImage()), rest.PATH].join(delimiter),
      // It would trust the authorities that it was built with alone, and not who answers for a registry here.
      NODE_USE_SYSTEM_CA: '1',
    },
    given: { TARGETARCH: architecture },
    files: (await filesMatching(/./)).filter((path) => !isIgnored(path)),
  }
}

async function make({ name, instructions }: Stage, builder: Builder): Promise<void> {
  const disk = builder.diskOf(name)
  const variables: Record<string, string | undefined> = {}
  let folder = disk
  await mkdir(disk)
  for (const instruction of instructions) {
    const { word, words, rest } = instruction
    if (word === 'WORKDIR') {
      folder = join(disk, rest)
      await mkdir(folder, { recursive: true })
    } else if (word === 'ARG') {
      variables[rest] = builder.given[rest]
    } else if (word === 'RUN') {
      await promisify(execFile)('/bin/sh', ['-c', rest], {
        ...{ cwd: folder, env: { ...builder.env, ...variables } },
        ...{ timeout: STAGE_MS, maxBuffer: 2 ** 26 },
      })
    } else if (word === 'COPY') {
      await copy(instruction, { disk, folder }, builder)
    } else if (!ONLY_SAID.includes(word)) {
      throw new Error(`nobody here knows how ${word} ${words.join(' ')} is done`)
    }
  }
}

const ONLY_SAID = ['LABEL', 'USER', 'EXPOSE', 'ENTRYPOINT', 'CMD']

interface Place {
  disk: string
  folder: string
}

async function copy(
  { flags: { from, chmod: mode }, words }: Instruction,
  { disk, folder }: Place,
  builder: Builder,
): Promise<void> {
  const to = words.at(-1) ?? ''
  const sources = words.slice(0, -1)
  const target = join(to.startsWith('/') ? disk : folder, to)
  const isFolder = to.endsWith('/') || sources.length > 1
  const origin = from === undefined ? root : builder.diskOf(from)
  for (const source of sources) {
    const isFile = (await stat(join(origin, source))).isFile()
    const base = isFolder && isFile ? join(target, basename(source)) : target
    // Of a stage all is taken, of the repository what the builder is given.
    const paths = from === undefined ? builder.files.filter(isIn(source)) : [source]
    await copyEach(paths.map((path) => [join(origin, path), base + path.slice(source.length)]))
    if (mode !== undefined) await chmodBelow(base, Number.parseInt(mode, 8))
  }
}

async function copyEach(pairs: [from: string, to: string][]): Promise<void> {
  for (const [from, to] of pairs) {
    await mkdir(dirname(to), { recursive: true })
    await cp(from, to, { recursive: true, verbatimSymlinks: true })
  }
}

async function chmodBelow(path: string, mode: number): Promise<void> {
  await chmod(path, mode)
  if (!(await stat(path)).isDirectory()) return
  for (const file of await filesBelow(path)) await chmod(join(path, file), mode)
}

const isIn = (source: string) => (path: string) => path === source || path.startsWith(`${source}/`)

/** All files below a folder, as paths relative to it. Sorted. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

const ELF_MACHINES: Record<number, Architecture> = { 62: 'amd64', 183: 'arm64' }

/** What machine a file has code for; undefined for what has none. */
export async function machineOf(file: string): Promise<Architecture | 'another' | undefined> {
  const bytes = await readFile(file)
  if (bytes.subarray(0, 4).toString('latin1') !== '\u007fELF') return undefined
  return ELF_MACHINES[bytes.readUInt16LE(18)] ?? 'another'
}
