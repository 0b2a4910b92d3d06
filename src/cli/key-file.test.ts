import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FileError, readText, writeKeyFile } from './key-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-key-file-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('a file that came in the meantime is not overwritten', async () => {
  const path = join(folder, 'taken')
  await writeFile(path, 'theirs')

  await expect(writeKeyFile({ path, text: 'ours', force: false })).rejects.toThrow(
    new FileError(`file ${JSON.stringify(path)} already exists, use --force to overwrite`),
  )
  expect(await readFile(path, 'utf8')).toBe('theirs')
})

test('nobody else can read a file, also when others could before', async () => {
  const path = join(folder, 'open')
  await writeFile(path, 'known')
  await chmod(path, 0o666)
  await writeKeyFile({ path, text: 'secret', force: true })

  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, 'utf8')).toBe('secret')
})

test('what is no file is written to as well', async () => {
  const before = (await stat('/dev/null')).mode
  await writeKeyFile({ path: '/dev/null', text: 'secret', force: true })

  expect((await stat('/dev/null')).mode).toBe(before)
})

test('a folder that cannot be made is named', async () => {
  await writeFile(join(folder, 'file'), '')
  const path = join(folder, 'file', 'below', 'it')

  await expect(writeKeyFile({ path, text: '', force: true, withFolders: true })).rejects.toThrow(
    `mkdir ${join(folder, 'file', 'below')}: not a directory`,
  )
})

test('a mark of the byte order stays in the text', async () => {
  const path = join(folder, 'marked')
  await writeFile(path, '\ufeffa')

  expect(await readText(path)).toBe('\ufeffa')
})
