import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { problem } from '#base/problem.ts'

/** One run of `go build`. */
export interface GoBuild {
  title: string
  moduleFolder: string
  flags: string[]
  outputFolder: string
  goPackages: string[]
}

export interface GoContext {
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  signal?: AbortSignal | undefined
}

const HEARTBEAT_MS = 30_000
const TAIL_LINES = 30

// Where Go and Node use different words for the same.
const GO_WORDS: Record<string, string> = { win32: 'windows', x64: 'amd64', ia32: '386' }
const goWord = (nodeWord: string): string => GO_WORDS[nodeWord] ?? nodeWord

/**
 * Laid over the caller's environment, so that nothing in it changes what is produced. They name the
 * machine that this runs on, since the programs are run here.
 */
export const GO_SETTINGS = {
  CGO_ENABLED: '0',
  GOFLAGS: '-mod=readonly',
  GOTOOLCHAIN: 'local',
  GOWORK: 'off',
  GOOS: goWord(process.platform),
  GOARCH: goWord(process.arch),
  // An empty word is Go's own default.
  GOAMD64: '',
  GOARM64: '',
  GOEXPERIMENT: '',
}

/** Such as go1.26.8. Answers undefined when there is no Go on the PATH. */
export async function findGoVersion(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('go', ['env', 'GOVERSION'], {
      cwd: tmpdir(),
      env: { ...env, ...GO_SETTINGS },
    })
    return stdout.trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether a release such as go1.26.8 serves a module that asks for, say, 1.26.1. */
export function isRecentEnough(version: string, required: string): boolean {
  const has = releaseNumbers(version)
  const needs = releaseNumbers(required)
  const first = needs.findIndex((number, at) => number !== has[at])
  return first === -1 || (has[first] ?? 0) > (needs[first] ?? 0)
}

/** Compiles, and tells how it is going. A failure says what Go said and how to repeat it by hand. */
export async function goBuild(build: GoBuild, { env, log, signal }: GoContext): Promise<void> {
  signal?.throwIfAborted()
  const progress = newProgress()
  const started = performance.now()
  const child = spawn('go', buildArguments(build), {
    cwd: build.moduleFolder,
    env: { ...env, ...GO_SETTINGS },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  createInterface({ input: child.stderr }).on('line', progress.read)
  // Go cleans up after itself when interrupted.
  const interrupt = () => child.kill('SIGINT')
  signal?.addEventListener('abort', interrupt)
  const heartbeat = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000)
    log(`${build.title}: building for ${seconds} s, ${progress.summary()}`)
  }, HEARTBEAT_MS)

  try {
    const [code]: unknown[] = await once(child, 'close')
    signal?.throwIfAborted()
    if (code !== 0) throw failure(build, progress.tail())
  } finally {
    clearInterval(heartbeat)
    signal?.removeEventListener('abort', interrupt)
  }
}

function buildArguments({ flags, outputFolder, goPackages }: GoBuild): string[] {
  // With -v Go names each package as it is compiled, which is all the progress it ever shows.
  return ['build', '-v', ...flags, '-o', `${outputFolder}/`, ...goPackages]
}

/** Counts what is only progress in Go's output and keeps the end of the rest. */
function newProgress() {
  let downloaded = 0
  let compiled = 0
  const rest: string[] = []
  return {
    read(line: string): void {
      if (line.startsWith('go: downloading ')) downloaded += 1
      else if (/^[^\s:#]+$/.test(line)) compiled += 1
      else rest.push(line)
      if (rest.length > TAIL_LINES) rest.shift()
    },
    summary: () => `${downloaded} modules downloaded, ${compiled} packages compiled`,
    tail: () => rest.join('\n'),
  }
}

function failure(build: GoBuild, tail: string): Error {
  const settings = Object.entries(GO_SETTINGS).map(([name, value]) => `${name}=${value}`)
  const command = ['go', ...buildArguments(build)].map(quoted)
  return problem({
    what: `cannot build ${build.title}: go build failed\n${tail.replaceAll(/^/gm, '    ')}`,
    why: 'the conformance suites run it',
    remedy: `repeat it by hand:\n    cd ${quoted(build.moduleFolder)} && ${[...settings, ...command].join(' ')}`,
  })
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function releaseNumbers(version: string): number[] {
  const [, major, minor, patch] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? []
  return [major, minor, patch].map((digits) => Number(digits ?? 0))
}
