// `make sbom`: what the shipped program consists of, as CycloneDX, in dist/. npm names all that is installed here; of that, what
// esbuild put parts of into the bundle, and what is installed beside it.

import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import packageFile from '#package.json' with { type: 'json' }
import { bundle } from './bundle.ts'
import { packagesOf } from './licences.ts'
import { billOf } from './sbom-parts.ts'

const { absWorkingDir: root, outdir } = bundle
const file = join(outdir, `${packageFile.name}.cdx.json`)

const { metafile } = await build({ ...bundle, metafile: true, write: false })
const text = execFileSync(
  'npm',
  ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
  { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] },
)
const bill = billOf(JSON.parse(text), {
  program: packageFile.name,
  bundled: await packagesOf(metafile, root),
})
await mkdir(join(root, outdir), { recursive: true })
await writeFile(join(root, file), `${JSON.stringify(bill, null, 2)}\n`)
process.stdout.write(`${file} ${bill.components.length} packages\n`)
