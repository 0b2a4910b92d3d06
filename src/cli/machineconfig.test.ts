import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from './a-terminal.cases.ts'

const WORKER = 'machine:\n    type: worker\n'
let folder: string
let worker: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-patch-'))
  worker = join(folder, 'worker.yaml')
  await writeFile(worker, WORKER)
})
afterAll(() => rm(folder, { recursive: true }))

test.each(['machineconfig', 'mc'])('%s patch prints the file with its patches', async (name) => {
  const patches = ['machine: { sysctls: { a: b } }', '{"machine": {"sysctls": {"c": "d"}}}']
  const { out } = await run(
    name,
    'patch',
    worker,
    '-p',
    patches[0] ?? '',
    '--patch',
    patches[1] ?? '',
  )

  expect(out).toContain('    type: worker\n')
  expect(out).toContain('    sysctls:\n        a: b\n        c: d\n')
  expect(await run(name, 'patch', worker, '-o', '-')).toEqual({
    out: `${WORKER}\n`,
    err: '',
    exitCode: 0,
  })
})

test('the result goes into a file that only its owner can read, with the folders above it', async () => {
  const path = join(folder, 'a', 'b', 'patched.yaml')
  const patched = await run(
    'mc',
    'patch',
    worker,
    '-p',
    '[{"op": "remove", "path": "/machine"}]',
    '-o',
    path,
  )
  const again = await run('mc', 'patch', worker, '-o', path)

  expect([patched, again]).toEqual(Array(2).fill({ out: '', err: '', exitCode: 0 }))
  expect(await readFile(path, 'utf8')).toBe(WORKER)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test.each([
  [['none.yaml', '-p', '{}'], 'open none.yaml: no such file or directory\n'],
  [[tmpdir(), '-p', '{}'], `read ${tmpdir()}: is a directory\n`],
  [['FILE', '-p', 'none.yaml'], 'open none.yaml: no such file or directory\n'],
  [['FILE', '-p', '[{"op": "remove", "path": "/none"}]'], '--patch[0]: '],
])('%j is refused', async (words, problem) => {
  const seen = await run('mc', 'patch', ...words.map((word) => word.replace('FILE', worker)))

  expect(seen.err.slice(0, problem.length)).toBe(problem)
  expect(seen).toMatchObject({ out: '', exitCode: 1 })
})

test('a file that is no text is refused', async () => {
  const path = join(folder, 'binary')
  await writeFile(path, Buffer.from([0x61, 0xff, 0xfe]))

  expect((await run('mc', 'patch', path)).err).toBe(`${path} is not a text in UTF-8\n`)
})
