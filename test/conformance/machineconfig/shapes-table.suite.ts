import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shapesFile } from './shapes-file.ts'
import { releases } from './shapes-sources.ts'

const found = await releases()

test.runIf(found)('the table of shapes is as the sources of Talos have them', async () => {
  const { path, content } = shapesFile(found ?? [])

  const committed = await readFile(join(import.meta.dirname, '../../..', path), 'utf8')
  expect(committed.split('\n')).toEqual(content.split('\n'))
})
