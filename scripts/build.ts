// The shipped program: one file that starts at once, and those that it loads when they are wanted. Only
// the embedded API's database is needed beside them in node_modules.

import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const outdir = 'dist'

// A chunk that nothing refers to any more would be shipped along.
await rm(join(root, outdir), { recursive: true, force: true })

await build({
  absWorkingDir: root,
  entryPoints: { 'talos-operator': 'src/cli/main.ts' },
  outdir,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  minifySyntax: true,
  // Node keeps the text of all that it loads in memory. Names stay, so that a stack says where something happened.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'linked',
  // Brings machine code, which cannot be bundled: it is found in node_modules when the embedded API is run.
  external: ['lmdb'],
  // Bundled CommonJS modules (commander) call require for Node's own modules.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
})
const names = await readdir(join(root, outdir), { recursive: true })
const files = await Promise.all(
  names.map(async (name) => ({ name, ...(await stat(join(root, outdir, name))) })),
)
const bytes = files.filter(({ name }) => name.endsWith('.mjs')).map(({ size }) => size)
const total = bytes.reduce((sum, size) => sum + size, 0)
process.stdout.write(`${outdir}/ ${bytes.length} files, ${Math.ceil(total / 1024)} KB\n`)
