// Writes the table of shapes from the sources of Talos. Where those are not to be had, the table stays as it
// is: it changes with the versions of Talos only.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shapesFile } from './shapes-file.ts'
import { releases } from './shapes-sources.ts'

const ROOT = join(import.meta.dirname, '../../..')

const found = await releases()
if (found) {
  const { path, content } = shapesFile(found)
  await writeFile(join(ROOT, path), content)
} else {
  process.stdout.write('there are no Go modules here: the shapes of machine configuration stay\n')
}
