import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSettings } from './settings-load.ts'

const never = new AbortController().signal
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-settings-'))
  await writeFile(join(folder, 'one.yaml'), 'logLevel: debug\nconcurrency: 3\n')
  await writeFile(join(folder, 'other.yaml'), 'logLevel: error\n')
  await writeFile(join(folder, 'large.yaml'), '#'.repeat(2 * 1024 * 1024))
})

afterAll(() => rm(folder, { recursive: true }))

const env = () => ({ TALOS_OPERATOR_CONFIG: join(folder, 'one.yaml') })

test('without a file there is none to read', async () => {
  expect(await loadSettings({ flags: {}, env: {} }, never)).toMatchObject({ logLevel: 'info' })
})

test('the variable names the file', async () => {
  expect(await loadSettings({ flags: {}, env: env() }, never)).toMatchObject({
    config: join(folder, 'one.yaml'),
    logLevel: 'debug',
    concurrency: 3,
  })
})

test('the flag goes before the variable, and empty means no file', async () => {
  const other = { config: join(folder, 'other.yaml') }

  expect(await loadSettings({ flags: other, env: env() }, never)).toMatchObject({
    logLevel: 'error',
    concurrency: 10,
  })
  expect(await loadSettings({ flags: { config: '' }, env: env() }, never)).toMatchObject({
    config: undefined,
    logLevel: 'info',
  })
})

test('a file that cannot be read is told together with what else is wrong', async () => {
  const missing = join(folder, 'missing.yaml')
  const given = { flags: { config: missing, logLevel: 'loud' }, env: {} }

  await expect(loadSettings(given, never)).rejects.toThrow(
    `--config is "${missing}": there is no such file. Give the path of a readable file.\n` +
      '--log-level is "loud"',
  )
})

test.each([
  ['.', 'it is a folder'],
  ['large.yaml', 'it is larger than 1 MiB'],
])('%s is refused: %s', async (name, reason) => {
  const given = { flags: {}, env: { TALOS_OPERATOR_CONFIG: join(folder, name) } }

  await expect(loadSettings(given, never)).rejects.toThrow(/^TALOS_OPERATOR_CONFIG is /)
  await expect(loadSettings(given, never)).rejects.toThrow(reason)
})

test('whoever stops waiting gets the reason of the stop', async () => {
  const signal = AbortSignal.abort(new Error('shutting down'))

  await expect(loadSettings({ flags: {}, env: env() }, signal)).rejects.toThrow(/^shutting down$/)
})
