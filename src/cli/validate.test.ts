import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from './a-terminal.cases.ts'

let folder: string
const at = (name: string): string => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-validate-'))
  // Before v1.7 there is no RSA key, which takes seconds to find.
  const flags = ['--talos-version', 'v1.6', '-t', 'worker', '-o', at('good.yaml')]
  await run('gen', 'config', 'one', 'https://192.0.2.1:6443', ...flags)
  const patch = '{"machine": {"type": "join"}}'
  await run('mc', 'patch', at('good.yaml'), '-p', patch, '-o', at('warned.yaml'))
  await writeFile(at('bad.yaml'), 'machine: { type: worker }\n')
  await writeFile(at('newer.yaml'), 'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n')
})
afterAll(() => rm(folder, { recursive: true }))

test.each(['metal', 'cloud'])('a good configuration is valid for %s', async (mode) => {
  expect(await run('validate', '-c', at('good.yaml'), '-m', mode, '--strict=true')).toEqual({
    out: `${at('good.yaml')} is valid for ${mode} mode\n`,
    err: '',
    exitCode: 0,
  })
})

test('a bad one is refused with all that is wrong, as talosctl lists it', async () => {
  const { out, err, exitCode } = await run('validate', '-c', at('bad.yaml'), '-m', 'metal')

  expect(err).toMatch(/^1 error occurred:\n\t\* v1alpha1\.Config: \d errors occurred:\n/)
  expect(err).toContain('\t* install instructions are required in "metal" mode\n')
  expect({ out, exitCode }).toEqual({ out: '', exitCode: 1 })
})

test('what is only odd is a warning, and an error with --strict', async () => {
  const words = ['validate', '-c', at('warned.yaml'), '-m', 'metal']
  const warned = await run(...words)
  const strict = await run(...words, '--strict')

  expect(warned.exitCode).toBe(0)
  expect(warned.err).toBe('WARNING: use "worker" instead of "join" for machine type\n')
  expect(strict.exitCode).toBe(1)
})

test('a configuration is judged by the version of Talos', async () => {
  const words = ['validate', '-c', at('newer.yaml'), '-m', 'metal']
  const older = await run(...words, '--talos-version', 'v1.9')

  expect((await run(...words)).exitCode).toBe(0)
  expect(older.exitCode).toBe(1)
  expect(older.err).toContain('HostnameConfig')
})

test.each([
  [['-m', 'metal'], 'open : no such file or directory\n'],
  [['-m', 'metal', '-c', 'none.yaml'], 'open none.yaml: no such file or directory\n'],
  [['-m', 'Metal', '-c', 'GOOD'], 'unknown runtime mode: "Metal"\n'],
  [['-m', 'metal', '-c', 'GOOD', '--talos-version', 'x'], 'invalid talos-version: '],
  [['-c', 'GOOD'], "error: required option '-m, --mode <mode>' not specified"],
])('%j is refused', async (words, problem) => {
  const seen = await run('validate', ...words.map((word) => word.replace('GOOD', at('good.yaml'))))

  expect(seen.err.slice(0, problem.length)).toBe(problem)
  expect(seen).toMatchObject({ out: '', exitCode: 1 })
})
