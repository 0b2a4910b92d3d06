// `make build`: the shipped program, in dist/, with the licences of what others have written of it.

import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundle } from './bundle.ts'
import { licencesOf, packagesOf } from './licences.ts'

const { absWorkingDir: root, outdir } = bundle
const folder = join(root, outdir)

// A chunk that nothing refers to any more would be shipped along.
await rm(folder, { recursive: true, force: true })
const { metafile } = await build({ ...bundle, metafile: true })
const packages = await packagesOf(metafile, root)
await writeFile(join(folder, 'LICENCES.txt'), await licencesOf(packages, root))

const names = await readdir(folder, { recursive: true })
const files = await Promise.all(
  names.map(async (name) => ({ name, ...(await stat(join(folder, name))) })),
)
const bytes = files.filter(({ name }) => name.endsWith('.mjs')).map(({ size }) => size)
const total = bytes.reduce((sum, size) => sum + size, 0)
process.stdout.write(`${outdir}/ ${bytes.length} files, ${Math.ceil(total / 1024)} KB\n`)
