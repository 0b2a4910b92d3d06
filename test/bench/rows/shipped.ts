import { execFile } from 'node:child_process'
import { cp, lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from '#test/bench/median.ts'
import { demandOperator } from '#test/bench/operator-process.ts'
import type { Row } from '#test/bench/row.ts'
import { root } from '#test/bench/subject.ts'
import { shown } from '#test/bench/table.ts'
import { temporaryFolder } from '#test/bench/temporary-folder.ts'

const STARTS = 21
const MB = 1e6

/** How long the program takes to say its version: the start that every command has in it. */
export const versionStart: Row = {
  name: 'version-start',
  budget: 0.25,
  unit: 's',
  better: 'less',
  async measure() {
    await demandOperator()
    await using folder = await temporaryFolder()
    for (const { path } of (await packed()).files) {
      await cp(join(root, path), join(folder.path, path), { recursive: true })
    }
    const program = join(folder.path, 'bin', 'talos-operator')
    const seconds: number[] = []
    for (let start = 0; start < STARTS; start++) {
      const startedMs = performance.now()
      await promisify(execFile)(program, ['--version'])
      seconds.push((performance.now() - startedMs) / 1e3)
    }
    return {
      value: median(seconds),
      detail: `\`talos-operator --version\` as it is packed, from its start to its end; median of ${STARTS}, at most ${shown(Math.max(...seconds))} s`,
    }
  },
}

/** How much is shipped. */
export const shippedSize: Row = {
  name: 'shipped-size',
  budget: 15,
  unit: 'MB',
  better: 'less',
  async measure() {
    await demandOperator()
    const { unpackedSize, size, files } = await packed()
    const beside = await sizeOfInstalled()
    return {
      value: unpackedSize / MB,
      detail: `what \`npm pack\` packs, unpacked: ${files.length} files, ${shown(size / MB)} MB to fetch; the packages that npm installs beside it, with machine code for several versions of Node, are ${shown(beside / MB)} MB more`,
    }
  },
}

interface Packed {
  size: number
  unpackedSize: number
  files: { path: string }[]
}

async function packed(): Promise<Packed> {
  const flags = ['--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await promisify(execFile)('npm', ['pack', ...flags], { cwd: root })
  const [one] = JSON.parse(stdout)
  return one
}

/** Of the packages here, those that are no tools. */
async function sizeOfInstalled(): Promise<number> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const packages: [string, { dev?: boolean }][] = Object.entries(lock.packages)
  const sizes = packages
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path]) => sizeOf(join(root, path)))
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Of a package without those in it; nothing, where it is for another kind of machine and so not here. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const sizes = names
    .filter((name) => name !== 'node_modules')
    .map(async (name) => {
      const found = await lstat(join(folder, name))
      return found.isDirectory() ? sizeOf(join(folder, name)) : found.size
    })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
