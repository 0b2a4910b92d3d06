import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import packageFile from '#package.json' with { type: 'json' }

const REPOSITORY = join(import.meta.dirname, '..', '..')
const SLOW_MACHINE_MS = 60_000

interface Finished {
  exitCode: number
  stdout: string
  stderr: string
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos operator bin-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('bin/talos-operator', { timeout: SLOW_MACHINE_MS }, () => {
  let tree: string
  const at = (path: string): string => join(tree, path)
  const operator = (cwd = tree, program = at('bin/talos-operator')) => run(program, ['hello'], cwd)

  // A program that says where it came from and what it was told, and no bundle.
  beforeEach(async () => {
    tree = await mkdtemp(join(folder, 'a tree-'))
    await put(
      'src/cli/main.ts',
      "const from: string = 'sources'\nimport('#cli/say.ts').then(({ say }) => say(from))\n",
    )
    await put(
      'src/cli/say.ts',
      'export const say = (from: string) => console.log(from, process.argv[2])\n',
    )
    for (const path of ['bin', 'package.json']) {
      await cp(join(REPOSITORY, path), at(path), { recursive: true })
    }
    await install(tree)
  })

  const put = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true })
    await writeFile(at(path), text)
  }
  const putBundle = async (ageMs: number, text = "console.log('bundle', process.argv[2])\n") => {
    await put('dist/talos-operator.mjs', text)
    const changedAt = new Date(Date.now() - ageMs)
    await utimes(at('dist/talos-operator.mjs'), changedAt, changedAt)
  }
  const fresh = -1_000
  const stale = 3_600_000

  test('runs the sources when nothing is built', async () => {
    expect(await operator()).toEqual({ exitCode: 0, stdout: 'sources hello\n', stderr: '' })
  })

  test('runs the bundle when it is newer than every source', async () => {
    await putBundle(fresh)

    expect(await operator()).toEqual({ exitCode: 0, stdout: 'bundle hello\n', stderr: '' })
  })

  test('runs the bundle when there are no sources, however old it is', async () => {
    await putBundle(stale)
    for (const path of ['src', 'node_modules']) await rm(at(path), { recursive: true })

    expect((await operator()).stdout).toBe('bundle hello\n')
  })

  test('runs the sources when one is newer than the bundle', async () => {
    await putBundle(stale)

    expect(await operator()).toEqual({ exitCode: 0, stdout: 'sources hello\n', stderr: '' })
  })

  test('runs the sources when one was removed after the bundle was built', async () => {
    await put('src/left-over.ts', '')
    const old = new Date(Date.now() - 2 * stale)
    const paths = ['package.json', 'src', 'src/cli', 'src/cli/main.ts', 'src/cli/say.ts']
    for (const path of paths) await utimes(at(path), old, old)
    await putBundle(stale)
    await rm(at('src/left-over.ts'))

    expect((await operator()).stdout).toBe('sources hello\n')
  })

  test('runs from another directory', async () => {
    const sources = await operator(tmpdir())
    await putBundle(fresh)
    const bundle = await operator(tmpdir())

    expect([sources.stdout, bundle.stdout]).toEqual(['sources hello\n', 'bundle hello\n'])
  })

  test('runs through a symlink', async () => {
    const link = at('elsewhere')
    await symlink(at('bin/talos-operator'), link)

    const sources = await operator(tmpdir(), link)
    await putBundle(fresh)
    const bundle = await operator(tmpdir(), link)
    expect([sources.stdout, bundle.stdout]).toEqual(['sources hello\n', 'bundle hello\n'])
  })

  test('starts Node with what keeps it small, and hands on what it was told', async () => {
    const telling = 'console.log(process.execArgv, process.env.MALLOC_ARENA_MAX, process.argv[3])'
    await putBundle(fresh, `${telling}\n`)

    const { stdout } = await run(at('bin/talos-operator'), ['hello', 'a "b" $c'], tree)
    expect(stdout).toContain("'--max-semi-space-size=")
    expect(stdout).toMatch(/ 1 a "b" \$c\n$/)
  })

  test('says what to do when it is not built and nothing is installed', async () => {
    await rm(at('node_modules'))

    const { exitCode, stdout, stderr } = await operator()
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/^talos-operator: it is not built, and the sources cannot be run/)
    expect(stderr).toContain(`Run \`make build\` in ${tree}/ to build it,\nor \`npm ci\``)
  })

  test('says that the bundle is older than its sources, and what to do, when nothing is installed', async () => {
    await putBundle(stale)
    await rm(at('node_modules'))

    const { exitCode, stdout, stderr } = await operator()
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(
      `its bundle ${at('dist/talos-operator.mjs')} is older than its sources`,
    )
    expect(stderr).toContain(`Run \`make build\` in ${tree}/ to build it anew,\nor \`npm ci\``)
    expect(stderr).not.toContain('not built')
  })

  test('does not hide what is wrong with the sources', async () => {
    await put('src/cli/main.ts', "import './missing.ts'\n")

    const { exitCode, stderr } = await operator()
    expect(exitCode).toBe(1)
    expect(stderr).toContain('missing.ts')
    expect(stderr).not.toContain('development')
  })
})

describe('the real program, in a path with a space', { timeout: SLOW_MACHINE_MS }, () => {
  let clone: string

  beforeAll(async () => {
    clone = join(folder, 'a clone')
    for (const path of ['bin', 'src', 'scripts', 'package.json', 'tsconfig.json']) {
      await cp(join(REPOSITORY, path), join(clone, path), { recursive: true })
    }
    await install(clone)
  })

  const expectAnswers = async (...program: [string, ...string[]]) => {
    const [command, ...args] = program
    const version = await run(command, [...args, '--version'], tmpdir())
    const help = await run(command, [...args, '--help'], tmpdir())
    expect(version).toEqual({ exitCode: 0, stdout: `${packageFile.version}\n`, stderr: '' })
    expect(help).toMatchObject({ exitCode: 0, stderr: '' })
    expect(help.stdout).toMatch(/^Usage: talos-operator /)
  }

  test('tells its version and its usage from the sources', async () => {
    await expectAnswers(join(clone, 'bin/talos-operator'))
  })

  test('is built into a folder that needs nothing beside it', async () => {
    const built = await run(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], clone)
    const alone = join(folder, 'alone')
    await cp(join(clone, 'dist'), alone, { recursive: true })
    const program = join(alone, 'talos-operator.mjs')
    // A command that is loaded when it is wanted.
    const nowhere = [program, 'run', '--kubeconfig', '/nowhere/kubeconfig']
    const started = await run(process.execPath, nowhere, tmpdir())

    expect(built).toMatchObject({ exitCode: 0, stderr: '' })
    await expectAnswers(process.execPath, program)
    expect(started).toMatchObject({ exitCode: 1, stdout: '' })
    expect(started.stderr).toMatch(/^talos-operator: no kubeconfig found at \/nowhere\/kubeconfig/)
  })
})

const install = (tree: string): Promise<void> =>
  symlink(join(REPOSITORY, 'node_modules'), join(tree, 'node_modules'))

/** Runs a program as from a user's shell: without what the test runner has put in the environment. */
async function run(program: string, args: string[], cwd: string): Promise<Finished> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  return promisify(execFile)(program, args, { cwd, env, timeout: SLOW_MACHINE_MS }).then(
    ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
    // execFile rejects when the exit code is not 0, which is an answer like any other here.
    ({ code, stdout, stderr }) => ({ exitCode: Number(code) || 1, stdout, stderr }),
  )
}
