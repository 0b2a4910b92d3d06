import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageFile from '#package.json' with { type: 'json' }
import { filesMatching, root } from '#test/repo/tree.ts'
import { until } from '#test/until.ts'

// What npm makes of the repository, as whoever has Node and nothing else takes it into use. It is packed from a copy: the
// bundle that other suites run stays as it is.

const SLOW_MACHINE_MS = 5 * 60_000
const READY = /is ready, [\d.]+ s after the start/
const FOLDER = /^The demo is in (\S+) until/m

let folder: string
let tarball: string
let demo: ChildProcess | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-package-'))
  const copy = join(folder, 'copy')
  for (const path of await filesMatching(/./)) {
    await mkdir(join(copy, dirname(path)), { recursive: true })
    await cp(join(root, path), join(copy, path))
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  await mkdir(join(folder, 'packed'))
  await npm(copy, 'pack', '--pack-destination', join(folder, 'packed'))
  const [name = ''] = await readdir(join(folder, 'packed'))
  tarball = join(folder, 'packed', name)
}, SLOW_MACHINE_MS)
afterAll(async () => {
  if (demo?.pid) process.kill(-demo.pid, 'SIGKILL')
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** The surroundings of a user, with packages to fetch kept apart from those of whoever runs this. */
const env = () => {
  const { NODE_OPTIONS, NODE_ENV, ...rest } = process.env
  return { ...rest, npm_config_cache: join(folder, 'npm'), npm_config_yes: 'true' }
}
const npm = (cwd: string, ...args: string[]) =>
  promisify(execFile)('npm', args, { cwd, env: env(), maxBuffer: 2 ** 26 })
const npx = (cwd: string, ...args: string[]) =>
  promisify(execFile)('npx', args, { cwd, env: env(), maxBuffer: 2 ** 26 })
const emptyFolder = () => mkdtemp(join(folder, 'empty-'))

test('the package has the program, its licences and nothing else', async () => {
  const { stdout } = await promisify(execFile)('tar', ['-tzf', tarball])

  const files = stdout.trim().split('\n')
  const isChunk = (path: string) => /^package\/dist\/chunks\/[\w-]+\.mjs(\.LEGAL\.txt)?$/.test(path)
  expect(files.filter((path) => !isChunk(path)).sort()).toEqual([
    ...['package/LICENSE', 'package/README.md', 'package/bin/lean-node'],
    ...['package/bin/talos-operator', 'package/dist/LICENCES.txt'],
    ...['package/dist/talos-operator.mjs', 'package/package.json'],
  ])
  expect(files.filter(isChunk).length).toBeGreaterThan(10)
})

test('what is installed from it answers, and brings the packages along that are not in its bundle', {
  timeout: SLOW_MACHINE_MS,
}, async () => {
  const cwd = await emptyFolder()
  await npm(cwd, 'install', tarball)

  const { stdout } = await npx(cwd, 'talos-operator', '--version')
  const installed = await readdir(join(cwd, 'node_modules'))
  expect(stdout).toBe(`${packageFile.version}\n`)
  expect(installed).toEqual(expect.arrayContaining(Object.keys(packageFile.dependencies)))
  // They are in the bundle, and were installed once more if npm were told of them.
  expect(installed).not.toEqual(expect.arrayContaining(['commander']))
  expect(installed).not.toEqual(expect.arrayContaining(['typebox']))
})

test('npx runs a demo from it in an empty folder, until Ctrl-C', {
  timeout: SLOW_MACHINE_MS,
}, async () => {
  const cwd = await emptyFolder()
  const name = basename(tarball)
  await cp(tarball, join(cwd, name))
  const args = ['demo', '--speed', 'max', '--control-planes', '1', '--workers', '1']
  // A terminal tells all of a group of Ctrl-C.
  const child = spawn('npx', [`./${name}`, ...args], { cwd, env: env(), detached: true })
  demo = child
  const exited = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more) => {
      said += more
      child.emit('said')
    })
  }
  while (!READY.test(said)) {
    if (child.exitCode !== null) throw new Error(`it ended before it was ready:\n${said}`)
    await Promise.race([once(child, 'said'), exited])
  }
  const [, place = ''] = FOLDER.exec(said) ?? []
  await access(place)
  if (child.pid) process.kill(-child.pid, 'SIGINT')
  await exited
  demo = undefined

  // npx may be gone before what it has started.
  const look = () => access(place).catch(({ code }) => code)
  await until('its folder to be gone', look, (found) => found === 'ENOENT')
  expect(await readdir(cwd)).toEqual([name])
})
