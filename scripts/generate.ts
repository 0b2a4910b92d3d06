// Writes every file that follows from the code, or with --check says which ones are stale.

import { join } from 'node:path'
import { generatedFiles } from './generate/files.ts'
import { applyChanges, describeChange, staleFiles } from './generate/tree.ts'

const root = join(import.meta.dirname, '..')
const changes = await staleFiles(root, generatedFiles())

if (process.argv.includes('--check')) {
  for (const change of changes) process.stderr.write(describeChange(change))
  if (changes.length > 0) {
    process.stderr.write(`${changes.length} generated files are stale: run \`make generate\`.\n`)
    process.exitCode = 1
  }
} else {
  await applyChanges(root, changes)
  for (const { path, wanted } of changes) {
    process.stdout.write(`${wanted === undefined ? 'removed' : 'wrote'} ${path}\n`)
  }
}
